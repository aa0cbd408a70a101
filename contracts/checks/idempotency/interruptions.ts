import { combineFindings, withUnobserved, type Exchange, type Finding } from '../../finding.ts'
import { selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { expectAccepted, isRefused, requireAccepted } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { named } from '../../toolkit/messages.ts'
import {
  checkPayments,
  checkRepeatedEffects,
  checkRepetition,
  requireEffects,
  sendDuring,
} from '../../toolkit/payment-outcome.ts'
import { unobservedEffects } from '../../toolkit/unobserved.ts'
import { retryOffsetsMs } from '../../../spec/delivery.ts'

export const interruptionChecks: readonly ReceiverCheck[] = [
  {
    id: 'idempotency/aborted-and-retried',
    severity: 'must',
    requirement:
      'The receiver acts once on a delivery whose sender disconnected before the answer and sent it again.',
    lines: [297, 344],
    readings: ['delivery-deadline'],
    uses: ['effects'],
    meaning:
      'The service counts a slow response as failed, but the work of the receiver continues. The retry then finds half of the work done. The result is two effects, or none.',
    remedy:
      'Write the record of the delivery and its effect in one transaction. Let a retry wait for a transaction in progress.',
    async run(context) {
      const finding = await checkPayments(context, (each) => abortAndRetry(context, each))
      return withUnobserved(finding, unobservedEffects(context))
    },
  },
  {
    id: 'idempotency/failed-then-retried',
    severity: 'must',
    requirement:
      'The receiver acts exactly once if its first call to the service failed and the delivery comes again.',
    lines: [297, 332],
    readings: ['delivery-success'],
    needs: ['calls', 'effects'],
    meaning:
      'A receiver that records a delivery as seen before its work is done treats the retry as a duplicate. The payment has succeeded, and the platform never acts on it.',
    remedy: 'Record a delivery as done only together with its effect. Undo the record if the work fails.',
    run: (context) =>
      checkPayments(
        context,
        (each) => failAndRetry(context, each),
        (all) => all,
      ),
  },
  {
    id: 'idempotency/again-after-restart',
    severity: 'must',
    requirement:
      'After a restart, the receiver does not act again on a delivery that it has acted on before.',
    lines: [297, 343, 344],
    readings: ['retry-window', 'retry-body'],
    needs: ['process', 'effects'],
    alone: true,
    meaning:
      'A delivery whose answer was lost comes again for seven hours, and each deployment restarts the receiver. If only its memory holds its actions, each deployment lets it pay twice.',
    remedy:
      'Record the object and the state that you act on in the database, under a unique key, in the transaction that acts.',
    run: checkRestart,
  },
]

/** The service delays its answer for this time, longer than the gap to a retry. */
const SHOW_DELAY_MS = 600

async function abortAndRetry(context: CheckContext, payment: PaymentToNotify): Promise<Finding | undefined> {
  const { message, target } = payment
  const slow = await context.service.disturb(target, { kind: 'delay', delay_ms: SHOW_DELAY_MS, times: 1 })
  const first = await context.request({
    method: 'POST',
    url: context.receiver.url(message.type),
    label: `${message.label}, hung up on`,
    headers: { 'content-type': 'application/json' },
    body: message.body,
    about: message,
    hangUpOnCallFor: target,
  })
  // A rejected notification has no work to interrupt.
  if (isRefused(first)) return requireAccepted(first)
  return retry(context, payment, { after: 'the sender hung up', end: slow.stop })
}

async function failAndRetry(context: CheckContext, payment: PaymentToNotify): Promise<Finding | undefined> {
  const fault = { kind: 'status', status: 500 } as const
  const { blind } = await sendDuring(context, payment, { fault, name: 'while the service fails' })
  return blind ?? retry(context, payment, { after: 'the service had failed' })
}

interface Interruption {
  readonly after: string
  readonly end?: () => Promise<void>
}

async function retry(context: CheckContext, payment: PaymentToNotify, { after, end }: Interruption) {
  const { message, branch } = payment
  const again = await context.sendUntilAccepted(named(message, 'again'))
  await end?.()
  const because = `when ${branch.kind} is notified again after ${after}`
  return expectAccepted(again) ?? checkRepeatedEffects(context, payment, { because, isUsualAtFirst: false })
}

async function checkRestart(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await playToSuccess(context, branches)
  const firsts = await Promise.all(
    finished.map(
      async (each) => requireAccepted(await context.send(each.message)) ?? requireEffects(context, each),
    ),
  )
  await context.process.stop()
  await context.process.start()
  const acted = finished.filter((_, index) => firsts[index] === undefined)
  const again = await Promise.all(acted.map((each) => repeat(context, each)))
  return combineFindings([...firsts, ...again], unobserved)
}

/** Repeats at once and as each retry of the service. */
async function repeat(context: CheckContext, payment: PaymentToNotify): Promise<Finding | undefined> {
  const { message, branch } = payment
  const retries = retryOffsetsMs('webhooks', context.profile.readings)
  const times = ['at once', ...retries.map((offsetMs) => `as the retry after ${offsetMs / 60_000} minutes`)]
  const notify = async () => {
    const sent: Exchange[] = []
    for (const time of times)
      sent.push(await context.sendUntilAccepted(named(message, `after the restart, ${time}`)))
    return sent
  }
  const because = `although ${branch.kind} was notified again after the receiver was stopped and started`
  return checkRepetition(context, payment, { notify, because })
}
