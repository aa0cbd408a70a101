import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import {
  RefusedError,
  startSentence,
  UnreachableError,
  UsageError,
  type Perform,
} from '../../sandbox/internal.ts'

/** Claims a world for one run at a time. */
export interface WorldClaim {
  /** Rejects with UnreachableError once another run has the world. */
  guard(perform: Perform): Perform
  /** Ends the claim after `putBack`. Does not call `putBack` if another run has the world. */
  end(putBack: () => Promise<void>): Promise<void>
}

export interface ClaimTimes {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** Calls `run` at this interval. Returns a function that stops. */
  readonly every: (ms: number, run: () => void) => () => void
}

/** The renewal interval, well below the lifetime of a claim. */
const AGAIN_MS = 4_000
const CERTAIN_MS = 12_000

const realTimes: ClaimTimes = {
  elapsed: () => performance.now(),
  every(ms, run) {
    const timer = setInterval(run, ms).unref()
    return () => clearInterval(timer)
  },
}

/** Claims the world of `perform`. Throws UsageError if another run has it. */
export async function claimWorld(perform: Perform, times = realTimes): Promise<WorldClaim> {
  const id = randomUUID()
  const by = `a run on ${hostname()}`.slice(0, 200)
  let certainUntil = 0
  let loss: UnreachableError | undefined

  async function claim(): Promise<void> {
    const before = times.elapsed()
    await perform('claimWorld', { path: { id }, body: { by } })
    certainUntil = before + CERTAIN_MS
  }

  async function claimAgain(): Promise<void> {
    if (loss) throw loss
    try {
      await claim()
    } catch (error) {
      if (isTaken(error)) loss = toLoss(error)
      throw loss ?? error
    }
  }

  await claim().catch((error: unknown) => {
    throw isTaken(error) ? toUsageError(error) : error
  })
  // A failed renewal is tried again, and a lost claim is reported on use.
  const stop = times.every(AGAIN_MS, () => void claimAgain().catch(() => {}))

  return {
    guard(guarded) {
      return async (operation, ...input) => {
        if (loss || times.elapsed() >= certainUntil) await claimAgain()
        return guarded(operation, ...input)
      }
    },
    async end(putBack) {
      try {
        await claimAgain().catch(() => {})
        if (loss) console.error(`hookbench: The world is not put back: ${loss.state}`)
        else await putBack()
      } finally {
        stop()
        if (!loss) await perform('releaseWorld', { path: { id } }).catch(() => {})
      }
    },
  }
}

const isTaken = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && error.code === 'run_under_way'

function toUsageError(cause: RefusedError): UsageError {
  const hint = 'or give each run its own world, with --world new'
  return new UsageError(`${cause.message}. ${startSentence(cause.hint ?? 'wait for it')}, ${hint}`, { cause })
}

/** The claim lapsed during a restart or a network failure, and another run took it. */
function toLoss(cause: RefusedError): UnreachableError {
  return new UnreachableError('continue the run', {
    code: 'lost_world',
    state: `another run has its world now (${cause.message})`,
    hint: 'give each run its own world, with --world new',
    cause,
  })
}
