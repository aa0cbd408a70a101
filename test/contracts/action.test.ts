import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkCommand } from '../../contracts/cli/check-command.ts'

interface Step {
  readonly name: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

const text = readFileSync(new URL('../../action.yml', import.meta.url), 'utf8')
const action: Action = parse(text)
const scripts = action.runs.steps.filter(({ run }) => run !== undefined)
const folder = mkdtempSync(join(tmpdir(), 'hookbench-action-'))

afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the checking step with a program that prints its arguments, writes a summary and ends with this code. */
function checked(env: Readonly<Record<string, string>>, code: number) {
  writeFileSync(
    join(folder, 'node'),
    `#!/usr/bin/env bash\nprintf '%s\\n' "$@"\necho summary > reports/summary.md\nexit ${code}\n`,
    { mode: 0o755 },
  )
  writeFileSync(join(folder, 'output'), '')
  writeFileSync(join(folder, 'step'), '')
  const { run = '' } = scripts.find(({ name }) => name === 'Check the receiver') ?? {}
  const { status, stdout } = spawnSync('bash', ['-eo', 'pipefail', '-c', run], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      GITHUB_ACTION_PATH: '/action',
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'step'),
      RUNNER_TEMP: folder,
      REPORTS: 'reports',
      FAIL_ON: 'must',
      URL: '',
      CONFIG: '',
      CHECKS: '',
      REQUIRE: '',
      SEED: '',
      ...env,
    },
  })
  const written = (name: string) => readFileSync(join(folder, name), 'utf8')
  return { status, arguments: stdout.split('\n'), output: written('output'), summary: written('step') }
}

test.each(scripts)('$name: its script is one that bash can read', ({ run = '' }) => {
  expect(spawnSync('bash', ['-n', '-c', run], { encoding: 'utf8' }).stderr).toBe('')
})

test.each(scripts)('$name: what a workflow gives comes as variables, never as script', ({ run = '' }) => {
  expect(run).not.toContain('${{')
})

test('every flag that is used is one of the command', () => {
  const known = new Set(checkCommand().options.map(({ long }) => long))
  const used = [
    ...text.matchAll(/(?<=[( ])--(?:junit|html|markdown|report-json|fail-on|require|seed|config)\b/g),
  ]

  expect(used.length).toBeGreaterThan(7)
  expect(used.map(([flag]) => flag).filter((flag) => !known.has(flag))).toEqual([])
})

test('what is given becomes arguments, each whole', () => {
  const given = checked(
    {
      URL: 'https://a/{object_type}/$(id)',
      CHECKS: 'order trust/lying-body',
      REQUIRE: 'effects calls',
      SEED: '7',
    },
    0,
  )

  expect(given.arguments.slice(0, 14)).toEqual([
    '/action/bin/hookbench.js',
    'check',
    'https://a/{object_type}/$(id)',
    'order',
    'trust/lying-body',
    '--seed',
    '7',
    '--require',
    'effects',
    '--require',
    'calls',
    '--fail-on',
    'must',
    '--junit',
  ])
})

test.each([0, 1, 2, 3])('the step ends with exit code %i, after the summary is written', (code) => {
  expect(checked({}, code)).toMatchObject({
    status: code,
    output: `exit-code=${code}\n`,
    summary: 'summary\n',
  })
})
