import { readFileSync } from 'node:fs'

/** The length of a Linux clock tick, in milliseconds. */
const TICK_MS = 10

/** Returns the processor time of a process and its threads, in milliseconds. Returns 0 for an unknown process. Linux only. */
export function processorMs(pid: number): number {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return 0
  }
  // The program name can contain spaces and brackets. The last closing bracket ends the program name.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
