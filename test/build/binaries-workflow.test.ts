import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { TARGETS } from '../../build/single-file/targets.ts'

interface Job {
  readonly if?: string
  readonly needs?: string | readonly string[]
  readonly strategy?: { readonly matrix: { readonly include: readonly { readonly target: string }[] } }
  readonly steps: readonly { readonly run?: string }[]
}

const path = (name: string) => new URL(`../../${name}`, import.meta.url)
const read = (name: string) => readFileSync(path(name), 'utf8')
const { jobs }: { readonly jobs: Readonly<Record<string, Job>> } = parse(
  read('.github/workflows/binaries.yml'),
)

const targetsOf = (job: string) => jobs[job]?.strategy?.matrix.include.map(({ target }) => target)

test('a release has a single file for each machine that there is Node for', () => {
  expect(targetsOf('single-file')?.toSorted()).toEqual(TARGETS.map(({ name }) => name).toSorted())
})

test('a release has an image for each kind of Linux that it has a single file for', () => {
  const linux = TARGETS.map(({ name }) => name).filter((name) => name.startsWith('linux-'))

  expect(targetsOf('image')).toEqual(linux)
})

test('the workflow of the binaries runs scripts and reads files that there are', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run))
  const named = commands.flatMap((command) =>
    [...command.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name),
  )
  const files = commands.flatMap((command) =>
    [...command.matchAll(/--file (\S+)/g)].map(([, file = '']) => file),
  )

  expect(named).toEqual(['bundle'])
  expect(named.filter((name) => name === undefined || !(name in scripts))).toEqual([])
  expect(files.filter((file) => !existsSync(path(file)))).toEqual([])
  expect(files).toEqual(['docker/Dockerfile'])
})

test('files are added to a release only after the tests of its tag', () => {
  const { on, jobs: callers }: { readonly on: object; readonly jobs: Readonly<Record<string, Job>> } = parse(
    read('.github/workflows/release.yml'),
  )
  const { on: begun } = parse(read('.github/workflows/binaries.yml'))

  expect(jobs['release']?.if).toBe("github.event_name == 'push' && startsWith(github.ref, 'refs/tags/v')")
  expect(Object.keys(begun)).not.toContain('push')
  expect([on, callers['binaries']?.needs]).toEqual([{ push: { tags: ['v*'] } }, ['test', 'proofs']])
})
