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

interface ReadyPorts {
  readonly elapsed: () => number
  readonly pause: (delayMs: number) => Promise<void>
  readonly through?: HttpCall
}

const PAUSE_MS = 100

/** The time limit of one call, in milliseconds, so that a single call cannot use up the whole timeout. */
const ANSWER_MS = 2_000

/** Waits for the sandbox. Calls `find` for each attempt, because the address may appear late. Throws UnreachableError. */
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

function refuseUnready(health: Partial<Health>): void {
  const { status, ready = true, reason = 'the sandbox accepts no changes' } = health
  if (ready) return
  const hint = storageRemedy(status)
  throw new UnreachableError('use the sandbox', { code: 'not_ready', state: reason, hint })
}

export function storageRemedy(status: Health['status'] = 'storage_full'): string {
  if (status === 'storage_full')
    return 'free space on the disk of the data folder. The sandbox then continues automatically'
  if (status === 'storage_away') return 'fix the PostgreSQL server. The sandbox then continues automatically'
  return 'stop the sandbox and start it again'
}
