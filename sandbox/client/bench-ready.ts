import type { Health } from '../../spec/generated/control-types.ts'
import { createBenchClient, type BenchAddress } from './bench-client.ts'
import { patience, type Patience } from './patience.ts'
import { UnreachableError } from './requests.ts'

/** A sandbox that answers. */
export interface Ready {
  readonly bench_url: string
  readonly health: Health
}

/** How a sandbox is asked, and how time passes; a test has its own. */
interface ReadyPorts extends Patience {
  readonly through?: typeof fetch
}

const PAUSE_MS = 100
/** One question that is never answered must not take all the time. */
const ANSWER_MS = 2_000

/**
 * Waits until the sandbox answers, at most `timeoutMs` of real time. `find` is asked each time anew, since the data folder may
 * have no run yet. Throws UnreachableError with the remedy when the time is over.
 */
export async function awaitReady(
  find: () => BenchAddress,
  timeoutMs: number,
  { elapsed, pause, through }: ReadyPorts = patience,
): Promise<Ready> {
  const start = elapsed()
  for (;;) {
    try {
      const address = find()
      const leftMs = Math.max(1, timeoutMs - (elapsed() - start))
      const signal = AbortSignal.timeout(Math.ceil(Math.min(ANSWER_MS, leftMs)))
      const health = await createBenchClient(address, through).health(signal)
      return { bench_url: address.url, health }
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error
      const leftMs = timeoutMs - (elapsed() - start)
      if (leftMs <= 0) {
        const state = error.message.replace(/^Cannot .*?: /, '')
        const message = `Cannot wait longer than ${timeoutMs / 1_000} s for a sandbox: ${state}`
        throw new UnreachableError(message, { cause: error })
      }
      await pause(Math.min(PAUSE_MS, leftMs))
    }
  }
}
