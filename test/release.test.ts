import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { VERSION } from '../sandbox/engine/core/version.ts'

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
}
interface Job {
  readonly uses?: string
  readonly needs?: string | readonly string[]
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps?: readonly Step[]
}

const ROOT = new URL('..', import.meta.url)
const text = readFileSync(new URL('.github/workflows/release.yml', ROOT), 'utf8')
const workflow: {
  readonly on: unknown
  readonly permissions: unknown
  readonly jobs: Readonly<Record<string, Job>>
} = parse(text)
const manifest = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))

const runsOf = (job: string) => (workflow.jobs[job]?.steps ?? []).flatMap(({ run }) => run ?? [])

test('a release is what a tag names, and has passed what CI runs before anything of it is published', () => {
  const others = Object.entries(workflow.jobs).filter(([name]) => name !== 'test' && name !== 'proofs')

  expect(workflow.on).toEqual({ push: { tags: ['v*'] } })
  expect(runsOf('test').join('\n')).toContain('.ci/run')
  expect(workflow.jobs['proofs']?.uses).toBe('./.github/workflows/weekly.yml')
  expect(others.map(([, { needs }]) => needs)).toEqual(others.map(() => ['test', 'proofs']))
})

test('the package is published with its provenance, which only that job can vouch for', () => {
  const vouching = Object.entries(workflow.jobs).filter(
    ([, job]) => job.permissions?.['id-token'] === 'write',
  )

  expect(runsOf('publish')).toEqual(['npm ci --ignore-scripts', 'npm publish --provenance --access public'])
  expect(workflow.permissions).toEqual({ contents: 'read' })
  expect(vouching.map(([name]) => name)).toContain('publish')
  expect(text).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/)
})

test('provenance names the repository that the package names', () => {
  const { repository, homepage, bugs } = manifest

  expect(repository).toEqual({ type: 'git', url: 'git+https://github.com/hookbench/hookbench.git' })
  expect([homepage, bugs]).toEqual([
    'https://hookbench.github.io/hookbench/',
    'https://github.com/hookbench/hookbench/issues',
  ])
})

test.each([
  [`v${VERSION}`, 0],
  [`v${VERSION}-rc.1`, 1],
  [VERSION, 1],
])('a tag %s ends the comparison with its version with %d', { tags: 'bash' }, (tag, code) => {
  const step = workflow.jobs['test']?.steps?.find(({ name }) => name === 'Compare the tag with the version')

  const { status, stdout } = spawnSync('bash', ['-eo', 'pipefail', '-c', step?.run ?? 'exit 9'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], GITHUB_REF_NAME: tag },
  })

  expect([status, stdout.includes(`tag v${VERSION}, or change the version`)]).toEqual([code, code === 1])
})
