import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

export type Situation = 'alone' | 'beside three busy loops' | 'on one core'

/** Returns the load of the machine during a run. Of 21 runs, 14 run alone, 6 compete with busy loops, and 1 uses a single core. */
export function situationOf(index: number): Situation {
  const place = index % 21
  if (place < 14) return 'alone'
  return place < 20 ? 'beside three busy loops' : 'on one core'
}

export interface RepeatedRun {
  readonly seconds: number
  readonly failure: string | undefined
  readonly output: string
}

const LOOPS = 3

const MAX_OUTPUT = 100_000

export async function runOnce(command: readonly string[], situation: Situation): Promise<RepeatedRun> {
  const through = situation === 'on one core' ? ['taskset', '--cpu-list', '0'] : []
  const [program = '', ...args] = [...through, ...command]
  const startedAt = performance.now()
  const loops = situation === 'beside three busy loops' ? LOOPS : 0
  const { code, output } = await besideLoops(loops, () => run(program, args))
  const seconds = (performance.now() - startedAt) / 1_000
  const failure = code === 0 ? undefined : `${situation}: exit code ${code}; ${summarize(output)}`
  return { seconds, failure, output }
}

async function run(
  program: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (stream: Readable) =>
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-MAX_OUTPUT)))
  keep(child.stdout)
  keep(child.stderr)
  await once(child, 'close')
  return { code: child.exitCode, output: stripVTControlCharacters(output) }
}

/** Returns the failed tests that Vitest lists, or the last line of the output. */
function summarize(output: string): string {
  const lines = output.split('\n').map((line) => line.trim())
  const failed = new Set(lines.filter((line) => line.startsWith('FAIL ')))
  return failed.size > 0
    ? [...failed].join('; ')
    : (lines.findLast((line) => line !== '') ?? 'it printed nothing')
}

export async function besideLoops<Result>(count: number, work: () => Promise<Result>): Promise<Result> {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  try {
    return await work()
  } finally {
    for (const loop of loops) loop.kill('SIGKILL')
  }
}
