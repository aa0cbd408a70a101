import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import {
  RefusedError,
  startSentence,
  UnreachableError,
  UsageError,
  type Perform,
} from '../../sandbox/internal.ts'

/** The world of a sandbox, for one run at a time, from wherever they come. */
export interface WorldClaim {
  /** Performs only what the world is still claimed for; rejects with UnreachableError once another run has it. */
  guard(perform: Perform): Perform
  /** Ends it once `putBack` has resolved; where another run has the world, that is not called, and said. */
  end(putBack: () => Promise<void>): Promise<void>
}

export interface ClaimTimes {
  /** Milliseconds of a time that never goes back. */
  readonly elapsed: () => number
  /** Calls back every so many milliseconds, until the function is called that it returns. */
  readonly every: (ms: number, run: () => void) => () => void
}

/** Well within the time after which a claim lapses, and so long it is relied upon without asking. */
const AGAIN_MS = 4_000
const CERTAIN_MS = 12_000

const realTimes: ClaimTimes = {
  elapsed: () => performance.now(),
  every(ms, run) {
    const timer = setInterval(run, ms).unref()
    return () => clearInterval(timer)
  },
}

/** Claims the world that `perform` is for until the end. Throws UsageError where another run has it. */
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
  // What cannot be reached now is tried again, and what another run has is said to whoever asks for it.
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

/** The sandbox or its node was started again, or this run could not reach it, and another run was quicker. */
function toLoss(cause: RefusedError): UnreachableError {
  return new UnreachableError('go on with the run', {
    code: 'lost_world',
    state: `another run has its world now (${cause.message})`,
    hint: 'give each run its own world, with --world new',
    cause,
  })
}
