import type { Exchange } from '../finding.ts'
import { isReached, isAccepted, isTimedOut, sendAll } from '../toolkit/expectations.ts'
import { createCheckContext } from './create-check-context.ts'
import type { Shared } from './shared-state.ts'
import { UsageError } from '../../sandbox/internal.ts'
import type { PaymentKind } from '../../spec/payments.ts'
import { expectedEffect } from '../toolkit/expected-effect.ts'
import { testBody } from '../toolkit/messages.ts'
import { ProbeError } from '../toolkit/ports.ts'

const STOP_NOTHING = () => Promise.resolve()

/**
 * Sends one test POST, so that not every check waits for a broken receiver. Starts the receiver if nothing listens and a start
 * command exists. Throws UsageError if the receiver is already running and cannot know which world the run uses.
 */
export async function reachReceiver(shared: Shared) {
  const { context, close } = createCheckContext('preflight', shared)
  try {
    const [type] = shared.urls.types()
    if (type === undefined)
      return { unreached: 'the configuration has no URL of the receiver', stop: STOP_NOTHING }
    const post = () =>
      context.post({ url: shared.urls.url(type), body: testBody(shared.profile), label: 'the test POST' })
    const sent = await post()
    refuseUntold(sent, shared)
    if (sent.reason !== 'connect_refused' || !context.process.observable) {
      return { unreached: findObstacle(sent, shared), stop: STOP_NOTHING }
    }
    await context.process.start()
    return {
      unreached: findObstacle(await post(), shared),
      // A failed stop must not lose the results.
      stop: () => context.process.stop().catch(() => {}),
    }
  } finally {
    await close()
  }
}

/** Throws UsageError if the running receiver would call another world. */
function refuseUntold({ reason }: Exchange, { options: { service } }: Shared): void {
  if (service.kind === 'own' || service.ownWorld?.isToBeTold !== true || reason === 'connect_refused') return
  throw new UsageError(
    'Cannot check in a new world: your receiver runs already, without the credentials of that world. Stop the receiver, so that "process.start" starts it. Or give its credentials with options such as --client-id and --client-secret',
  )
}

function findObstacle(sent: Exchange, { mask }: Pick<Shared, 'mask'>): string | null {
  return isReached(sent) && !isTimedOut(sent) ? null : mask(sent.message)
}

/**
 * The number of payments that are used to measure the delay of effects. Two payments are needed, because a polling worker may
 * happen to act on the first payment immediately.
 */
const PAYMENTS = 2

/** Plays successful payments, of kind `kind` if possible, and measures the delay of their effects. */
export async function learnDelay(shared: Shared, kind?: PaymentKind): Promise<void> {
  const { context, close } = createCheckContext('effect delay', shared)
  try {
    for (let count = 0; count < PAYMENTS; count++) {
      const payment = await expectedEffect(context, { kind })
      if (!payment) return
      const sent = await sendAll(context, [...payment.before, payment.message])
      if (!sent.every(isAccepted)) return
      const { effects } = await context.effects.reach(payment.target, 1)
      if (effects === 0) return
    }
  } catch (error) {
    // Each check reports this error again.
    if (!(error instanceof ProbeError)) throw error
  } finally {
    await close()
  }
}
