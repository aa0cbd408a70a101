import type { Health } from '../../spec/generated/control-types.ts'
import { realTime } from '../adapters/real-time.ts'
import type { ControlAddress } from './control-address.ts'
import { createControlClient } from './control-client.ts'
import type { HttpCall } from './http-call.ts'
import { pause } from './pause.ts'
import { UnreachableError } from './unreachable.ts'

export interface Ready {
  readonly bench_url: string
  readonly health: Health
}

/** The HTTP calls and the real time. Tests replace both. */
interface ReadyPorts {
  readonly elapsed: () => number
  readonly pause: (delayMs: number) => Promise<void>
  readonly through?: HttpCall
}

const PAUSE_MS = 100

/** The time limit of one call, in milliseconds, so that a single call cannot use the complete timeout. */
const ANSWER_MS = 2_000

/**
 * Waits until the sandbox responds, but at most `timeoutMs` real milliseconds. Calls `find` for each attempt, because the data
 * folder may not yet contain an address. Throws UnreachableError if the sandbox does not respond in time.
 */
export async function awaitReady(
  find: () => ControlAddress,
  timeoutMs: number,
  ports: ReadyPorts = { elapsed: realTime.elapsed, pause: (delayMs) => pause(realTime.after, delayMs) },
): Promise<Ready> {
  const { elapsed, pause: wait, ...options } = ports
  const start = elapsed()
  for (;;) {
    try {
      const address = find()
      const leftMs = Math.max(1, timeoutMs - (elapsed() - start))
      const signal = AbortSignal.timeout(Math.ceil(Math.min(ANSWER_MS, leftMs)))
      const health = await createControlClient(address, { ...options, signal })('getHealth')
      refuseUnready(health)
      return { bench_url: address.url, health }
    } catch (cause) {
      if (!(cause instanceof UnreachableError)) throw cause
      const leftMs = timeoutMs - (elapsed() - start)
      if (leftMs <= 0) {
        const { state, hint, command } = cause
        const attempt = `wait longer than ${timeoutMs / 1_000} s for a sandbox`
        throw new UnreachableError(attempt, { code: 'not_ready', state, hint, command, cause })
      }
      await wait(Math.min(PAUSE_MS, leftMs))
    }
  }
}

/** Throws UnreachableError if the sandbox responds but accepts no changes. */
function refuseUnready({
  status,
  ready = true,
  reason = 'the sandbox accepts no changes',
}: Partial<Health>): void {
  if (ready) return
  const hint = storageRemedy(status)
  throw new UnreachableError('use the sandbox', { code: 'not_ready', state: reason, hint })
}

/** Returns the fix for a sandbox that responds but does not accept changes. */
export function storageRemedy(status: Health['status'] = 'storage_full'): string {
  if (status === 'storage_full')
    return 'free space on the disk of the data folder. The sandbox then continues automatically'
  if (status === 'storage_away') return 'fix the PostgreSQL server. The sandbox then continues automatically'
  return 'stop the sandbox and start it again'
}
