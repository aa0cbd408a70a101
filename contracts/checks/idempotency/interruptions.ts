import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches, onePerType } from '../../toolkit/branches.ts'
import { combineFindings, notObservable, unreachable, type Finding } from '../../finding.ts'
import {
  describeExchange,
  expectAccepted,
  isReached,
  isRefused,
  requireAccepted,
} from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { checkRepeatedEffects } from '../../toolkit/repeated-effect.ts'
import { unobservedEffects } from '../../toolkit/unobserved.ts'

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
      'A slow answer is a failed delivery for the service, but the work behind it continues. The retry then finds half of the work done. The result is two effects, or none.',
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

/** So long the service keeps a receiver waiting that does not take up the retry before. */
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
  // What it has refused it does not work on: nobody hung up on anything.
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
