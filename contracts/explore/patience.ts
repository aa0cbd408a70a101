import { findDifference, type Difference, type Expectation } from './oracle.ts'
import type { ExploredCase } from '../explored-case.ts'
import type { CheckContext } from '../toolkit/check-context.ts'

/** How long a difference must last until it looks like a failure. */
export interface Patience {
  /** Real milliseconds. */
  msFor(plan: ExploredCase): number
  /** What looked like a failure was none. */
  grow(): void
}

const LEAST_MS = 1_000
/** An effect may come so many times as late as the latest that was seen. */
const MOST_DELAYS = 4
/** A receiver waits longer with each call that fails. */
const TIMES_WHERE_CALLS_FAIL = 3

export function createPatience({ effects }: Pick<CheckContext, 'effects'>): Patience {
  let leastMs = LEAST_MS
  return {
    msFor({ deliveries }) {
      const times = deliveries.some(({ callBack }) => callBack) ? TIMES_WHERE_CALLS_FAIL : 1
      const lateMs = MOST_DELAYS * (effects.observable ? (effects.delay().latestMs ?? 0) : 0)
      return times * Math.max(leastMs, lateMs)
    },
    grow() {
      leastMs *= 2
    },
  }
}

const POLL_MS = 20
/** Whatever comes later may still come right. */
export const MAY_PASS: readonly Difference['symptom'][] = ['missing-effect', 'other-state', 'missing-call']

/** How the receiver differs once patience is over; undefined as soon as it does not, whatever it does later. */
export async function lookBriefly(
  context: CheckContext,
  expected: readonly Expectation[],
  patienceMs: number,
): Promise<Difference | undefined> {
  const end = context.elapsed() + patienceMs
  for (;;) {
    const difference = await findDifference(context, expected)
    if (!difference || !MAY_PASS.includes(difference.symptom) || context.elapsed() >= end) return difference
    await context.pause(POLL_MS)
  }
}

/** How a receiver differs that has had the time to do all it has to do. */
export async function settleDifference(
  context: CheckContext,
  expected: readonly Expectation[],
): Promise<Difference | undefined> {
  const { effects, calls, reconcile } = context
  const isMissing = (await findDifference(context, expected))?.symptom === 'missing-effect'
  // A receiver may look for what it has missed in its own time.
  if (isMissing && reconcile.observable) await reconcile.run()
  await Promise.all(
    expected.map(async ({ object, effects: count, state, isAsked }) => {
      if (isAsked) await calls.settle(object)
      const seen = await effects.settle(object, count)
      const isLate =
        seen.effects === count && state !== undefined && seen.state !== null && seen.state !== state
      if (isLate) await effects.settleState(object, state)
    }),
  )
  return findDifference(context, expected)
}
