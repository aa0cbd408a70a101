/** @module-tag bash */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkCommand } from '../../contracts/cli/check-command.ts'
import { action, actionText, openRunner, writeScript, type Job, type Runner } from '../support/ci-job.ts'

const scripts = action.runs.steps.filter(({ run }) => run !== undefined)

function opened(): Runner {
  const runner = openRunner()
  onTestFinished(() => runner.remove())
  return runner
}

/**
 * Opens a runner whose `node` command is a fake. The fake reports a running sandbox, prints the arguments of the check, writes a
 * summary and exits with `code`.
 */
function runnerEnding(code: number): Runner {
  const runner = opened()
  const node = join(runner.bin, 'node')
  const real = process.execPath
  spawnSync('rm', [node])
  writeScript(
    node,
    `if [ "$2" = ready ]; then echo '{"service_url":"http://127.0.0.1:4010"}'; exit 0; fi
if [ "$2" != check ]; then exec '${real}' "$@"; fi
for word in "$@"; do echo "<$word>"; done
while [ $# -gt 0 ]; do if [ "$1" = --markdown ]; then echo summary > "$2"; fi; shift; done
echo "it said no: 100%" >&2
exit ${code}`,
  )
  return runner
}

/** Expects the job to fail at the step "Check the inputs". Returns the output of the failed step. */
function expectRejected({ steps }: Job): string | undefined {
  expect(steps).toMatchObject([{ name: 'Check the inputs', status: 2 }])
  return steps[0]?.stdout
}

const lastStep = ({ steps }: Job) => steps.at(-1)

const words = (job: Job) => [...(lastStep(job)?.stdout.matchAll(/^<(.*)>$/gm) ?? [])].map(([, word]) => word)

test.each(scripts)(
  'the step $name receives workflow inputs as environment variables, never as part of its script',
  ({ run = '' }) => {
    expect(run).not.toContain('${{')
  },
)

test('every flag that the action uses is an option of the check command', () => {
  const known = new Set(checkCommand().options.map(({ long }) => long))
  const { run = '' } = scripts.find(({ name }) => name === 'Check the receiver') ?? {}
  const used = [...run.matchAll(/(?<=[( ])--[a-z-]+/g)].map(([flag]) => flag)

  expect(used.length).toBeGreaterThan(8)
  expect(used.filter((flag) => !known.has(flag))).toEqual([])
})

test('the action passes each input as one argument per line', () => {
  const job = runnerEnding(0).run({
    url: 'https://a/{object_type}/$(id)',
    checks: 'order\n  trust/lying-body\n*\n',
    require: 'effects\ncalls\n',
    seed: '7',
    port: '4020',
    'fail-on': 'should',
  })

  expect(words(job).slice(0, 14)).toEqual([
    join(new URL('../..', import.meta.url).pathname, 'bin/hookbench.js'),
    'check',
    '--seed',
    '7',
    '--port',
    '4020',
    '--fail-on',
    'should',
    '--require',
    'effects',
    '--require',
    'calls',
    '--annotations',
    expect.stringContaining('annotations'),
  ])
  expect(words(job).slice(-5)).toEqual([
    '--',
    'https://a/{object_type}/$(id)',
    'order',
    'trust/lying-body',
    '*',
  ])
})

/** The inputs that are not command-line options: shell commands, a secret and the name of an upload. */
const FREE_INPUTS = new Set(['start', 'token', 'artifact'])
const checkedInputs = Object.keys(action.inputs).filter((name) => !FREE_INPUTS.has(name))

test.each(checkedInputs)('the action rejects the input %s when it contains an option', (name) => {
  const runner = opened()
  const evil = join(runner.workspace, 'evil.config.mjs')
  const job = runner.run({ [name]: name === 'checks' ? `order --config ${evil}` : `--config=${evil}` })

  expect(expectRejected(job)).toContain(`::error title=Cannot use the input ${name}::--config`)
})

test.each(['port', 'wait-seconds'])('the action rejects the input %s when it is not a number', (name) => {
  const runner = opened()
  expectRejected(runner.run({ [name]: 'a[$(touch pwned)]', 'wait-for': 'https://localhost:1/' }))

  expect(existsSync(join(runner.workspace, 'pwned'))).toBe(false)
})

test.each(['url', 'reports', 'wait-for', 'world'])(
  'the action rejects the input %s when a line break could start a workflow command',
  (name) => {
    expect(expectRejected(opened().run({ [name]: 'a\n::add-mask::b 100%' }))).toBe(
      `::error title=Cannot use the input ${name}::$'a\\n::add-mask::b 100%25' has a control character. Write one line of text.\n`,
    )
  },
)

test('the action attaches to a running sandbox in a new world and passes no secrets as arguments', () => {
  const job = runnerEnding(0).run({ attach: 'http://127.0.0.1:4011', token: 'hush', ttl: '90m' })

  expect(words(job).slice(2, 8)).toEqual([
    '--ttl',
    '90m',
    '--attach',
    'http://127.0.0.1:4011',
    '--world',
    'new',
  ])
  expect(words(job).join(' ')).not.toContain('hush')
  expect(job.outputs['sandbox']).toEqual({
    url: 'http://127.0.0.1:4010',
    'client-id': expect.stringMatching(/^job-[0-9a-f]{8}$/),
    'client-secret': expect.stringMatching(/^[0-9a-f]{48}$/),
    email: expect.stringMatching(/^job-[0-9a-f]{8}@hookbench\.test$/),
    'api-token': expect.stringMatching(/^[0-9a-f]{48}$/),
  })
})

test('the action passes the credentials of an existing world to the receiver process', () => {
  const job = runnerEnding(0).run({ attach: 'http://127.0.0.1:4011', world: 'anna' })

  expect(words(job).slice(2, 6)).toEqual(['--attach', 'http://127.0.0.1:4011', '--world', 'anna'])
  expect(job.outputs['sandbox']).toEqual({ url: 'http://127.0.0.1:4010' })
})

test.each([0, 1, 2, 3])('the action step exits with code %i after the summary is written', (code) => {
  const job = runnerEnding(code).run({})

  expect(lastStep(job)).toMatchObject({ name: 'Check the receiver', status: code })
  expect(job).toMatchObject({ outputs: { check: { 'exit-code': String(code) } }, summary: 'summary\n' })
  expect(job.used['actions/upload-artifact']?.['path']).toMatch(/\/workspace\/hookbench-reports$/)
})

test('the action writes an annotation with the error message when a run cannot start', () => {
  expect(lastStep(runnerEnding(2).run({}))?.stdout).toContain(
    '::error title=Hookbench could not check the receiver::it said no: 100%25\n',
  )
})

test('a receiver response in the output never becomes a workflow command', () => {
  const { stdout = '' } = lastStep(runnerEnding(1).run({})) ?? {}
  const [, token = ''] = /^::stop-commands::(\S+)\n/.exec(stdout) ?? []

  expect(token).not.toBe('')
  expect(stdout.indexOf('<check>')).toBeLessThan(stdout.indexOf(`\n::${token}::\n`))
})

test('the action installs only Hookbench and caches its downloads', () => {
  const runner = opened()
  const { used } = runner.run({ start: 'true' })
  const npm = readFileSync(join(runner.bin, '../npm.txt'), 'utf8').split('\n')

  expect(npm).toEqual(expect.arrayContaining(['ci', '--omit=dev', '--workspace=build/bundled', '--cache']))
  expect(used['actions/cache']).toEqual({
    path: npm[npm.indexOf('--cache') + 1],
    key: expect.stringMatching(/^hookbench-npm-[0-9a-f]{64}$/),
  })
  expect(Object.keys(used)).not.toContain('actions/setup-node')
})

test('the action uses another installed Node version when the default Node version of the job is too old', () => {
  const runner = opened()
  spawnSync('rm', [join(runner.bin, 'node')])
  writeScript(join(runner.bin, 'node'), 'echo old; exit 2')
  const tool = join(runner.toolCache, 'node/24.1.0/x64/bin')
  mkdirSync(tool, { recursive: true })
  symlinkSync(process.execPath, join(tool, 'node'))

  const job = runner.run({
    start: 'node > seen.txt',
    'wait-for': 'https://localhost:1/',
    'wait-seconds': '600',
  })

  expect(job.outputs['node']?.['path']).toBe(join(tool, 'node'))
  expect(readFileSync(join(runner.workspace, 'seen.txt'), 'utf8')).toBe('old\n')
  expect(actionText).not.toContain('GITHUB_PATH')
})

test('the action step fails with an explanation when no suitable Node exists', () => {
  const runner = opened()
  writeScript(join(runner.workspace, 'old'), 'exit 2')

  const { steps } = runner.run({ node: join(runner.workspace, 'old') })

  expect(steps).toMatchObject([{ status: 0 }, { name: 'Find Node', status: 2 }])
  expect(steps[1]?.stdout).toMatch(/^::error title=Hookbench needs Node 22\.19 or newer::.*setup-node/)
})

test('the action stops waiting for the receiver and shows its output when the receiver exits', () => {
  const start = 'echo "cannot listen"\nexit 7\necho unreachable'

  const { steps } = opened().run({ start, 'wait-for': 'https://localhost:1/', 'wait-seconds': '600' })

  expect(steps.at(-1)).toMatchObject({ name: 'Wait for the receiver', status: 3 })
  expect(steps.at(-1)?.stdout).toMatch(
    /^::error title=The receiver is not ready::The receiver ended with exit code 7 before https:\/\/localhost:1\/ answered\n::stop-commands::(\S+)\ncannot listen\n::\1::\n$/,
  )
})

test('the action stops waiting when a line of the receiver start script fails', () => {
  const runner = opened()
  runner.run({ start: 'false\ntouch started', 'wait-for': 'https://localhost:1/', 'wait-seconds': '600' })

  expect(existsSync(join(runner.workspace, 'started'))).toBe(false)
})
