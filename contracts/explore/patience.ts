import { findDifference, type Difference, type Expectation } from './oracle.ts'
import type { ExploredCase } from '../explored-case.ts'
import type { CheckContext } from '../toolkit/check-context.ts'

const LEAST_MS = 1_000
/** The wait for an effect, as a multiple of the latest seen delay. */
const MOST_DELAYS = 4
/** Failed calls make a receiver wait longer. */
const TIMES_WHERE_CALLS_FAIL = 3

export function createPatience({ effects }: Pick<CheckContext, 'effects'>) {
  let leastMs = LEAST_MS
  return {
    /** Real milliseconds. */
    msFor({ deliveries }: ExploredCase) {
      const times = deliveries.some(({ callBack }) => callBack) ? TIMES_WHERE_CALLS_FAIL : 1
      const lateMs = MOST_DELAYS * (effects.observable ? (effects.delay().latestMs ?? 0) : 0)
      return times * Math.max(leastMs, lateMs)
    },
    /** Waits longer after a false suspicion. */
    grow() {
      leastMs *= 2
    },
  }
}

/** The time that a difference must last before it counts as a failure. */
export type Patience = ReturnType<typeof createPatience>

const POLL_MS = 20
/** Symptoms that a later effect can remove. */
export const MAY_PASS: readonly Difference['symptom'][] = ['missing-effect', 'other-state', 'missing-call']

/** Returns the difference after the patience, or undefined as soon as there is none. */
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

/** Returns the difference after the receiver had enough time to finish. */
export async function settleDifference(
  context: CheckContext,
  expected: readonly Expectation[],
): Promise<Difference | undefined> {
  const { effects, calls, reconcile } = context
  const isMissing = (await findDifference(context, expected))?.symptom === 'missing-effect'
  // A receiver may look for missed notifications in its own time.
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
