import type { CheckContext } from '../toolkit/check-context.ts'
import { findDifference, type Difference, type Expectation } from './oracle.ts'

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
