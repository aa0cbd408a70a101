import { combineFindings, notObservable, unreachable, type Exchange, type Finding } from '../../finding.ts'
import { onePerType, selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import {
  describeExchange,
  expectAccepted,
  isReached,
  isRefused,
  requireAccepted,
} from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { checkRepeatedEffects, checkRepetition, requireEffects } from '../../toolkit/payment-outcome.ts'
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
    run: checkAborted,
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
    run: checkFailed,
  },
]

/** The service delays its answer for this time, longer than the gap to a retry. */
const SHOW_DELAY_MS = 600

async function checkAborted(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await playToSuccess(context, onePerType(branches))
  const parts = await Promise.all(finished.map((each) => abortAndRetry(context, each)))
  return combineFindings(parts, unobservedEffects(context), unobserved)
}

async function abortAndRetry(context: CheckContext, finished: PaymentToNotify): Promise<Finding | undefined> {
  const { message, target, branch } = finished
  const slow = await context.service.disturb({
    kind: 'delay',
    match: { object_type: target.type, object_id: target.id },
    delay_ms: SHOW_DELAY_MS,
    times: 1,
  })
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
  const again = await context.sendUntilAccepted(message, { label: `${message.label}, again` })
  await slow.stop()
  return (
    expectAccepted(again) ??
    checkRepeatedEffects(context, finished, {
      because: `when ${branch.kind} is notified again after the sender hung up`,
      isUsualAtFirst: false,
    })
  )
}

async function checkFailed(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await playToSuccess(context, branches)
  return combineFindings(await Promise.all(finished.map((each) => failAndRetry(context, each))), unobserved)
}

async function failAndRetry(context: CheckContext, finished: PaymentToNotify): Promise<Finding | undefined> {
  const { message, target, branch } = finished
  const match = { object_type: target.type, object_id: target.id }
  const fault = await context.service.disturb({ kind: 'status', match, status: 500 })
  const first = await context.send(message, { label: `${message.label}, while the service fails` })
  const calls = await context.calls.settle(target)
  await fault.stop()
  if (!isReached(first)) return unreachable(describeExchange(first), first)
  if (calls.length === 0)
    return notObservable(`It did not ask for the ${target.type} of ${branch.kind}, so nothing failed`)
  const again = await context.sendUntilAccepted(message, { label: `${message.label}, again` })
  return (
    expectAccepted(again) ??
    checkRepeatedEffects(context, finished, {
      because: `when ${branch.kind} is notified again after the service had failed`,
      isUsualAtFirst: false,
    })
  )
}

export const restartChecks: readonly ReceiverCheck[] = [
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
      'A delivery whose answer was lost comes again for a day, and each deployment restarts the receiver. If only its memory holds its actions, each deployment lets it pay twice.',
    remedy:
      'Record the object and the state that you act on in the database, under a unique key, in the transaction that acts.',
    run: checkRestart,
  },
]

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
async function repeat(context: CheckContext, each: PaymentToNotify): Promise<Finding | undefined> {
  const { message, branch } = each
  const retries = retryOffsetsMs('webhooks', context.profile.readings)
  const labels = ['at once', ...retries.map((offsetMs) => `as the retry after ${offsetMs / 60_000} minutes`)]
  const notify = async () => {
    const sent: Exchange[] = []
    for (const label of labels) {
      sent.push(
        await context.sendUntilAccepted(message, { label: `${message.label}, after the restart, ${label}` }),
      )
    }
    return sent
  }
  const because = `although ${branch.kind} was notified again after the receiver was stopped and started`
  return checkRepetition(context, each, { notify, because })
}
