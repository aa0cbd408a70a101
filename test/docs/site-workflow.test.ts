import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkUrl } from '../../contracts/report/report.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

interface Job {
  readonly if?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: readonly { readonly run?: string; readonly with?: Readonly<Record<string, unknown>> }[]
}

interface Workflow {
  readonly permissions: object
  readonly concurrency: object
  readonly jobs: { readonly build: Job; readonly publish: Job }
}

const { permissions, concurrency, jobs }: Workflow = parse(read('.github/workflows/site.yml'))

test('the workflow of the site builds it by its script, and hands on the folder that this writes', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const runs = jobs.build.steps.flatMap(({ run }) => run ?? [])

  expect(runs).toEqual(['npm ci --ignore-scripts', 'npm run docs'])
  expect(scripts['docs']).toMatch(/vitepress build docs$/)
  expect(jobs.build.steps.at(-1)?.with).toEqual({ path: 'docs/.vitepress/dist' })
})

test('what builds the site may change nothing, and what publishes it only its pages', () => {
  expect([permissions, jobs.build.permissions, jobs.publish.permissions]).toEqual([
    { contents: 'read' },
    undefined,
    { pages: 'write', 'id-token': 'write' },
  ])
})

test('the site is published from the main branch alone, and no publishing is cut off', () => {
  expect(jobs.publish.if).toBe("github.ref == 'refs/heads/main'")
  expect(concurrency).toEqual({ group: 'site', 'cancel-in-progress': false })
})

test('reports link to where the site is', () => {
  const { homepage } = JSON.parse(read('package.json'))

  expect(checkUrl('order/any-sequence')).toBe(`${homepage}reference/checks#order/any-sequence`)
})
