import { readdirSync, readFileSync } from 'node:fs'

/** What Linux counts processor time in. */
const TICK_MS = 10

interface Times {
  readonly parent: number
  readonly ownMs: number
  /** Of children that have ended. */
  readonly endedMs: number
}

function readTimes(pid: number): Times | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name of the program, which may have spaces in it, ends with the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const field = (index: number) => Number(fields[index])
  return {
    parent: field(1),
    ownMs: (field(11) + field(12)) * TICK_MS,
    endedMs: (field(13) + field(14)) * TICK_MS,
  }
}

/** The processor time of a process, all threads, in milliseconds. Linux only. */
export function processorMs(pid: number): number {
  return readTimes(pid)?.ownMs ?? 0
}

/** The same of a process and of all its children, those that have ended, too. */
export function familyProcessorMs(pid: number): number {
  const parent = readTimes(pid)
  if (!parent) return 0
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = pids.map((name) => readTimes(Number(name))).filter((times) => times?.parent === pid)
  return children.reduce((sum, child) => sum + (child?.ownMs ?? 0), parent.ownMs + parent.endedMs)
}
