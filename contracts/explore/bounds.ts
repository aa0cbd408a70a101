import type { CheckContext } from '../toolkit/check-context.ts'
import { describeExchange, isTimedOut } from '../toolkit/expectations.ts'
import { failed, PASSED, withUnobserved, type Failed } from '../finding.ts'
import type { ExploredCase } from '../explored-case.ts'
import type { PlayedCase } from './play-case.ts'

/** The maximum number of calls for each notification. More calls would overload a failing service. */
const MAX_CALLS = 20

export function createBounds({ calls }: Pick<CheckContext, 'calls'>) {
  let exceeded: Failed | undefined

  async function noteCalls(
    fork: CheckContext,
    { payments }: PlayedCase,
    { deliveries }: ExploredCase,
  ): Promise<void> {
    for (const [of, { play, disguise }] of payments.entries()) {
      const object = disguise.target(play)
      if (!object) continue
      const count = (await fork.calls.about(object)).length
      const notified = deliveries.filter((delivery) => delivery.of === of).length
      if (count <= MAX_CALLS * Math.max(1, notified)) continue
      exceeded ??= failed(
        `at most ${MAX_CALLS} calls to the service for each notification`,
        `${count} calls about ${object.type} ${object.id} after ${notified} notifications`,
        { objects: [object] },
      )
    }
  }

  return {
    async note(context: CheckContext, played: PlayedCase, plan: ExploredCase) {
      if (exceeded) return
      const slow = played.first.find(isTimedOut)
      if (slow) {
        exceeded = failed(
          'an answer before the deadline of the service, even if calls to the service fail or are slow',
          describeExchange(slow),
          { exchanges: [slow] },
        )
      } else if (context.calls.observable) await noteCalls(context, played, plan)
    },
    finding: () =>
      exceeded ??
      withUnobserved(PASSED, calls.observable ? undefined : 'the calls of the receiver to the service'),
  }
}

export type Bounds = ReturnType<typeof createBounds>
