import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Tried } from './try-all.ts'

export interface TriedNetwork extends Tried {
  /** What could not be tried here, and what it needs. */
  readonly notRun: readonly string[]
}

const NEEDS = 'they need unshare, mount and ip (apt-get install util-linux iproute2), and root'

/** Tries the faults of a network in namespaces of its own, as far as this machine lets it. */
export async function tryNetwork(): Promise<TriedNetwork> {
  const program = fileURLToPath(new URL('network-main.ts', import.meta.url))
  const child = spawn('unshare', ['--net', '--mount', process.execPath, program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close').catch(() => undefined)
  const [printed, said] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (child.exitCode === 0) return JSON.parse(printed)

  const why = said.split('\n').find((line) => /error|unshare/i.test(line)) ?? 'there is no unshare here'
  return {
    cases: 0,
    failures: [],
    notRun: [`faults of the network (R02 to R04, D01): ${why.trim()}; ${NEEDS}`],
  }
}
