import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { packProgram } from '../package.ts'
import type { Figure, Row } from '../row.ts'
import { median } from '../slices.ts'

const ROUNDS = 9
const BARE_SERVER = `require('node:http').createServer((_, response) => response.end('{}'))
  .listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port) })`

/** Returns the milliseconds from the start of a program to its first successful response. */
async function timeToAnswer(args: readonly string[], path: string): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const answer = await fetch(`${await addressOf(child)}${path}`)
    if (!answer.ok) throw new Error(`Cannot measure: ${args.join(' ')} answered ${answer.status}`)
    return performance.now() - startedAt
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout) {
    for await (const line of createInterface({ input: stdout })) {
      const address = line.match(/http:\/\/[\d.]+:\d+/g)?.at(-1)
      if (address !== undefined) return address
    }
  }
  throw new Error('Cannot measure: the program ended without an address')
}

/** Alternates between the programs, so that other load on the machine affects both equally. Returns the ratio of the medians. */
async function compareTimes(ours: () => Promise<number>, bare: () => Promise<number>): Promise<Figure> {
  const taken: { readonly ours: number; readonly bare: number; readonly again: number }[] = []
  await ours()
  for (let round = 0; round < ROUNDS; round++) {
    taken.push({ bare: await bare(), ours: await ours(), again: await bare() })
  }
  const our = median(taken.map((each) => each.ours))
  const bares = [median(taken.map((each) => each.bare)), median(taken.map((each) => each.again))] as const
  return {
    value: (2 * our) / (bares[0] + bares[1]),
    self: bares[0] / bares[1],
    detail: `${Math.round(our)} ms against ${Math.round(bares[0])}`,
  }
}

async function timeToEnd(args: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  await promisify(execFile)(process.execPath, args)
  return performance.now() - startedAt
}

export const START: Row = {
  id: 'start',
  what: 'the time from the start of the packaged program to its first healthy response, compared with bare `node:http`',
  unit: '',
  better: 'less',
  bar: 4,
  goal: 2.5,
  instead: 'Prism or Mockoon, which take seconds to start, or WireMock, which starts a JVM',
  measure({ folder }) {
    const program = packProgram(folder)
    const up = async () => {
      const data = join(mkdtempSync(join(folder, 'start-')), 'data')
      const args = [program, 'up', '--json', '--port', '0', '--bench-port', '0', '--data', data]
      return timeToAnswer(args, '/control/health')
    }
    return compareTimes(up, () => timeToAnswer(['-e', BARE_SERVER], '/'))
  },
}

export const HELP: Row = {
  id: 'help',
  what: 'the time of `hookbench --help`, divided by the time of `node -e 0`',
  unit: '',
  better: 'less',
  bar: 3,
  goal: 2,
  instead: '`stripe --help`, which is a compiled program',
  measure({ folder }) {
    const program = packProgram(folder)
    return compareTimes(
      () => timeToEnd([program, '--help']),
      () => timeToEnd(['-e', '0']),
    )
  },
}

export const JOBS: Row = {
  id: 'jobs',
  what: 'the time of `hookbench jobs` with a running sandbox, divided by the time of `node -e 0`',
  unit: '',
  better: 'less',
  bar: 3,
  goal: 2,
  instead: 'curl',
  async measure({ folder }) {
    const program = packProgram(folder)
    const data = join(mkdtempSync(join(folder, 'jobs-')), 'data')
    const args = [program, 'up', '--json', '--port', '0', '--bench-port', '0', '--data', data]
    const up = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      await addressOf(up)
      return await compareTimes(
        () => timeToEnd([program, 'jobs', '--data', data]),
        () => timeToEnd(['-e', '0']),
      )
    } finally {
      up.kill('SIGKILL')
    }
  },
}
