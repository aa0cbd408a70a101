import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
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
import { PROGRAM } from './installed-package.ts'
import { type PageCode, readPageCode } from './pages.ts'
import { freePorts } from './free-ports.ts'
import { untilEnded } from './program.ts'

const RECEIVER = new URL('../receivers/receiver-main.ts', import.meta.url).pathname
const PAGES = ['../../docs/guides/ci.md', '../../docs/guides/shared-sandbox.md']

const TOKEN = '3f9c1d2ab47e8051c6d20a94e7b1358f'

/** Returns a file's code blocks from the pages about CI. Throws if no page contains the file. */
export function ciFiles(file: string): readonly [PageCode, ...PageCode[]] {
  const blocks = PAGES.flatMap((page) => readPageCode(new URL(page, import.meta.url)))
  const [first, ...others] = blocks.filter((block) => block.file === file)
  if (!first) throw new Error(`No page about CI has a block ${file}`)
  return [first, ...others]
}

export function ciScript(file: string): string {
  const { text: written = '' } = ciFiles(file).at(-1) ?? {}
  if (file === 'Jenkinsfile') return /sh '''\n([^]*?)'''/.exec(written)?.[1]?.replaceAll(/^ +/gm, '') ?? ''
  if (file.endsWith('.sh')) return written
  const { jobs, receiver } = Object(parse(written))
  const lines: readonly string[] =
    receiver?.script ??
    jobs.receiver.steps.flatMap(({ run = '' }: { readonly run?: string }) => [run.trimEnd()])
  return `${lines.filter((line) => line !== '').join('\n')}\n`
}

/** A CI runner with a checkout of the careful receiver. */
interface CiJob {
  readonly folder: string
  /** Environment variables that keep `npm` and `npx` from installing packages. */
  readonly env: Readonly<Record<string, string>>
  readonly adapt: (written: string) => string
  /** Runs a script as a CI system does. Stops at the first line that fails. */
  run(script: string): Promise<{ readonly code: number | null; readonly printed: string }>
  close(): void
}

/** Kills the process whose id is in the file, if it is still running. */
export function killProcess(path: string): void {
  if (!existsSync(path)) return
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 'SIGKILL')
  } catch (error) {
    if (Reflect.get(Object(error), 'code') !== 'ESRCH') throw error
  }
}

export async function openCiJob(checks: readonly string[], defect = ''): Promise<CiJob> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookbench-ci-')))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const [port, effectsPort] = await freePorts(2)
  const adapt = (written: string) => written.replaceAll('9443', String(port))
  const script = (name: string, body: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  const start = `exec '${process.execPath}' '${RECEIVER}' --cert localhost.crt.pem --key localhost.key.pem --data data --token ${TOKEN} --port ${port} --effects-port ${effectsPort} ${defect}`
  script('npm', `case "$1" in ci) exit 0 ;; start) echo $$ > receiver.pid; ${start} ;; *) exit 64 ;; esac`)
  script('npx', `[ "$1" = hookbench ] || exit 64; shift; exec '${process.execPath}' '${PROGRAM}' "$@"`)
  const config = { ...Object(JSON.parse(adapt(ciFiles('hookbench.config.json')[0].text))), checks }
  writeFileSync(join(folder, 'hookbench.config.json'), JSON.stringify(config))
  const summary = join(folder, 'step-summary.md')
  const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: folder, GITHUB_STEP_SUMMARY: summary }
  return {
    folder,
    env,
    adapt,
    async run(written) {
      const child = spawn('bash', ['-ec', adapt(written)], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const { code, stdout, stderr } = await untilEnded(child)
      return { code, printed: `${stdout}${stderr}` }
    },
    close() {
      killProcess(join(folder, 'receiver.pid'))
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

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

export interface StepResult {
  readonly name: string
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Job {
  readonly steps: readonly StepResult[]
  readonly used: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly outputs: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly summary: string
}

export interface Runner {
  readonly workspace: string
  readonly bin: string
  readonly toolCache: string
  readonly temp: string
  run(inputs: Readonly<Record<string, string>>): Job
  remove(): void
}

/** Opens a runner. The packages are already installed, so `npm` only records its calls. */
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

export function writeScript(file: string, text: string): void {
  writeFileSync(file, `#!/usr/bin/env bash\n${text}\n`, { mode: 0o755 })
}

type Machine = Pick<Runner, 'workspace' | 'bin' | 'toolCache' | 'temp'> & { readonly folder: string }

/** Runs the steps in order, like a GitHub runner. After a failure, only runs steps whose condition allows it. */
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

/** Evaluates comparisons with an empty text, joined by &&. */
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
