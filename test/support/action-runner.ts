import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

interface Step {
  readonly name: string
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

const ROOT = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

export const actionText = readFileSync(join(ROOT, 'action.yml'), 'utf8')
export const action: Action = parse(actionText)

/** What a step that was run came to. */
export interface StepResult {
  readonly name: string
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How the steps of the action went in a job of its own. */
export interface Job {
  readonly steps: readonly StepResult[]
  /** What other actions were called with, by their names. */
  readonly used: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly outputs: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly summary: string
}

/** A runner's machine: a workspace, what is on its path, and what it keeps of tools. */
export interface Runner {
  readonly workspace: string
  /** First on the path of the job. */
  readonly bin: string
  readonly toolCache: string
  readonly temp: string
  run(inputs: Readonly<Record<string, string>>): Job
  remove(): void
}

/** A runner whose `npm` only writes down how it is called: what it would install is there. */
export function openRunner(): Runner {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookbench-runner-')))
  const make = (name: string) => {
    const path = join(folder, name)
    mkdirSync(path)
    return path
  }
  const [workspace, bin, toolCache, temp] = [make('workspace'), make('bin'), make('tools'), make('temp')]
  symlinkSync(process.execPath, join(bin, 'node'))
  writeScript(join(bin, 'npm'), `printf '%s\\n' "$PWD" "$@" > "${folder}/npm.txt"`)
  return {
    workspace,
    bin,
    toolCache,
    temp,
    run: (inputs) => runAction(inputs, { folder, workspace, bin, toolCache, temp }),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** Writes a program of bash. */
export function writeScript(file: string, text: string): void {
  writeFileSync(file, `#!/usr/bin/env bash\n${text}\n`, { mode: 0o755 })
}

type Machine = Pick<Runner, 'workspace' | 'bin' | 'toolCache' | 'temp'> & { readonly folder: string }

/** The steps one after the other, each as a runner calls it; those after a failure only if they say so. */
function runAction(given: Readonly<Record<string, string>>, machine: Machine): Job {
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default])
  const inputs: Readonly<Record<string, string>> = { ...Object.fromEntries(defaults), ...given }
  const outputs: Record<string, Record<string, string>> = {}
  const used: Record<string, Readonly<Record<string, string>>> = {}
  const steps: StepResult[] = []
  const summary = join(machine.folder, 'summary')
  writeFileSync(summary, '')
  const fill = (text: string) =>
    text.replaceAll(/\$\{\{ *([\w.-]+) *\}\}/g, (_, path: string) => valueOf(path))
  function valueOf(path: string): string {
    const [context = '', ...rest] = path.split('.')
    if (context === 'inputs') return inputs[rest.join('.')] ?? ''
    if (context === 'steps') return outputs[rest[0] ?? '']?.[rest[2] ?? ''] ?? ''
    if (path === 'github.action_path') return ROOT
    if (path === 'runner.temp') return machine.temp
    throw new Error(`The runner of this test does not know ${path}`)
  }
  const fillAll = (texts: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]))
  for (const step of action.runs.steps) {
    const hasFailed = steps.some(({ status }) => status !== 0)
    if (!isDue(step.if ?? '', hasFailed, valueOf)) continue
    if (step.uses !== undefined) used[step.uses.replace(/@.*/, '')] = fillAll(step.with)
    if (step.run === undefined) continue
    const output = join(machine.folder, 'output')
    const script = join(machine.folder, 'script.sh')
    writeFileSync(output, '')
    writeFileSync(script, step.run)
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', script],
      {
        cwd: resolve(machine.workspace, fill(step['working-directory'] ?? '.')),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: `${machine.bin}:${process.env['PATH']}`,
          HOME: machine.folder,
          GITHUB_ACTION_PATH: ROOT,
          GITHUB_OUTPUT: output,
          GITHUB_STEP_SUMMARY: summary,
          RUNNER_TEMP: machine.temp,
          RUNNER_TOOL_CACHE: machine.toolCache,
          ...fillAll(step.env),
        },
      },
    )
    steps.push({ name: step.name, status, stdout, stderr })
    if (step.id !== undefined) outputs[step.id] = readOutputs(output)
  }
  return { steps, used, outputs, summary: readFileSync(summary, 'utf8') }
}

/** Conditions as the action writes them: comparisons with nothing, all of which have to hold. */
function isDue(condition: string, hasFailed: boolean, valueOf: (path: string) => string): boolean {
  const parts = condition === '' ? [] : condition.split(' && ')
  if (hasFailed && !parts.includes('always()')) return false
  return parts
    .filter((part) => part !== 'always()')
    .every((part) => {
      const [, path] = /^([\w.-]+) != ''$/.exec(part) ?? []
      if (path === undefined) throw new Error(`The runner of this test cannot read ${part}`)
      return valueOf(path) !== ''
    })
}

function readOutputs(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return Object.fromEntries(lines.map((line) => [line.replace(/=.*/, ''), line.replace(/^[^=]*=/, '')]))
}
