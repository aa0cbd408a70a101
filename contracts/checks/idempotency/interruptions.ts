import { combineFindings, withUnobserved, type Finding } from '../../finding.ts'
import { signatureHeader } from '../../../spec/signature.ts'
import { selectBranches } from '../../toolkit/branches.ts'
import type { CheckContext, MakeSignature, ReceiverCheck } from '../../toolkit/check-context.ts'
import { expectAccepted, isAccepted, isRefused, requireAccepted } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { named } from '../../toolkit/messages.ts'
import {
  checkPayments,
  checkRepeatedEffects,
  checkRepetition,
  sendDuring,
  sendFirst,
} from '../../toolkit/payment-outcome.ts'
import { unobservedEffects } from '../../toolkit/unobserved.ts'
import { retryOffsetsMs } from '../../../spec/delivery.ts'

export const interruptionChecks: readonly ReceiverCheck[] = [
  {
    id: 'idempotency/aborted-and-retried',
    severity: 'must',
    requirement:
      'The receiver acts once if the sender disconnects before the answer and sends the delivery again.',
    lines: [297, 344],
    readings: ['delivery-deadline'],
    uses: ['effects'],
    meaning:
      'The service counts a slow response as failed, but the receiver continues to work. The retry arrives when half of the work is done. As a result, the payment has two effects or none.',
    remedy:
      'Write the record of the delivery and its effect in one transaction. If a database transaction for the same delivery is still open, let the retry wait until that transaction ends.',
    async run(context) {
      const finding = await checkPayments(context, (each) => abortAndRetry(context, each))
      return withUnobserved(finding, unobservedEffects(context))
    },
  },
  {
    id: 'idempotency/failed-then-retried',
    severity: 'must',
    requirement:
      'The receiver acts exactly once if its first call to the service fails and the service repeats the delivery.',
    lines: [297, 332],
    readings: ['delivery-success'],
    needs: ['calls', 'effects'],
    meaning:
      'A receiver that records a delivery before it has done the work treats the retry as a duplicate. The payment has succeeded, and the platform never acts on it.',
    remedy:
      'Mark a delivery as done only in the transaction that creates its effect. Undo the record if the work fails.',
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
      'If an answer is lost, the service retries for seven hours, and a deployment can restart the receiver meanwhile. If the receiver records its actions only in memory, it can pay twice after each deployment.',
    remedy:
      'Record the object and its state in the database, under a unique key, in the same transaction as the action.',
    run: checkRestart,
  },
  {
    id: 'idempotency/late-repetition',
    severity: 'must',
    requirement:
      'The receiver does not act on repeated deliveries at the end of the run, or days later by its clock.',
    lines: [297, 343, 344, 345],
    readings: ['retry-window', 'retry-body'],
    needs: ['effects'],
    uses: ['process'],
    spansRun: true,
    meaning:
      'If an answer is lost, the service retries the delivery for seven hours. The operator can resend the delivery days later. Days later, a cache of deliveries no longer contains the delivery, so your platform pays a second time.',
    remedy:
      'Record each object and state that you acted on, and keep this record as long as you keep the payment. Write the record under a unique key, in the same transaction as the action. Never let the record expire.',
    run: checkLateRepetition,
  },
]

/** The delay before the service answers a call from the receiver, in milliseconds. The retry arrives before the service answers. */
const SHOW_DELAY_MS = 600

async function abortAndRetry(context: CheckContext, payment: PaymentToNotify): Promise<Finding | undefined> {
  const { message, target } = payment
  const slow = await context.service.disturb(target, { kind: 'delay', delay_ms: SHOW_DELAY_MS, times: 1 })
  const first = await context.request({
    method: 'POST',
    url: context.receiver.url(message.type),
    label: `${message.label}, closed before the answer`,
    headers: { 'content-type': 'application/json' },
    body: message.body,
    about: message,
    hangUpOnCallFor: target,
  })
  // After a rejection, there is no work to interrupt.
  if (isRefused(first)) return requireAccepted(first)
  return retry(context, payment, { after: 'the sender closed the connection', end: slow.stop })
}

async function failAndRetry(context: CheckContext, payment: PaymentToNotify): Promise<Finding | undefined> {
  const fault = { kind: 'status', status: 500 } as const
  const { blind } = await sendDuring(context, payment, { fault, name: 'while the service fails' })
  return blind ?? retry(context, payment, { after: 'the service had failed' })
}

async function retry(
  context: CheckContext,
  payment: PaymentToNotify,
  { after, end }: { readonly after: string; readonly end?: () => Promise<void> },
) {
  const { message, branch } = payment
  const again = await context.sendUntilAccepted(named(message, 'again'))
  await end?.()
  const because = `when the ${branch.kind} notification is sent again after ${after}`
  return expectAccepted(again) ?? checkRepeatedEffects(context, payment, { because, isUsualAtFirst: false })
}

async function checkRestart(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const { firsts, acted } = await sendFirst(context, await playToSuccess(context, branches))
  await context.process.stop()
  await context.process.start()
  const again = await Promise.all(acted.map((each) => repeat(context, each)))
  return combineFindings([...firsts, ...again], unobserved)
}

async function repeat(context: CheckContext, payment: PaymentToNotify): Promise<Finding | undefined> {
  const { message, branch } = payment
  const retries = retryOffsetsMs('webhooks', context.profile.readings)
  const times = ['at once', ...retries.map((offsetMs) => `as the retry after ${offsetMs / 60_000} minutes`)]
  const notify = () =>
    Array.fromAsync(times, (time) => context.sendUntilAccepted(named(message, `after the restart, ${time}`)))
  const because = `although the ${branch.kind} notification was sent again after the receiver was stopped and started`
  return checkRepetition(context, payment, { notify, because })
}

/** The minimum real time between two deliveries of a notification. Many caches expire within this time. */
const MIN_SPAN_MS = 5_000

async function checkLateRepetition(context: CheckContext): Promise<Finding> {
  const firstAt = context.elapsed()
  const begun = await context.service.now()
  const { branches, unobserved } = selectBranches(context, 'good')
  const { firsts, acted } = await sendFirst(context, await playToSuccess(context, branches))
  await context.restOfRun(MIN_SPAN_MS)
  const span = `${Math.round((context.elapsed() - firstAt) / 1_000)} s`
  const late = await repeatAll(context, acted, { when: `${span} after the first delivery` })
  const isWorthwhile = acted.length > 0 && late.every((finding) => finding === undefined)
  const days =
    isWorthwhile && context.process.observable ? await repeatDaysLater(context, acted, begun) : undefined
  const limit = `a repetition more than ${span} after the first delivery${days?.limit ?? WITHOUT_DAYS}`
  return combineFindings([...firsts, ...late, ...(days?.findings ?? [])], limit, unobserved)
}

interface Repetition {
  readonly when: string
  /** Signs with the time of the receiver's clock. Set if the receiver was started with a changed clock. */
  readonly byItsClock?: MakeSignature
}

function repeatAll(
  context: CheckContext,
  acted: readonly PaymentToNotify[],
  { when, byItsClock: signature }: Repetition,
): Promise<readonly (Finding | undefined)[]> {
  return Promise.all(
    acted.map((each) => {
      const again = named(each.message, when)
      const notify = async () => {
        const sent = await context.sendUntilAccepted(again)
        const isSignedAnew = !isAccepted(sent) && signature && context.profile.signed
        const signed = named(again, 'signed at the time in HOOKBENCH_NOW')
        return [isSignedAnew ? await context.sendUntilAccepted(signed, { signature }) : sent]
      }
      const because = `although the ${each.branch.kind} notification was sent again ${when}`
      return checkRepetition(context, each, { notify, because })
    }),
  )
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const WITHOUT_DAYS =
  '; with process.stop and process.start, the check restarts the receiver days later by HOOKBENCH_NOW'

/** Restarts the receiver with a later clock, then repeats notifications. A running receiver may not notice a changed clock. */
async function repeatDaysLater(context: CheckContext, acted: readonly PaymentToNotify[], begun: string) {
  await context.process.stop()
  // Simulates an operator of the service who resends the delivery one day after the last retry. Source: §8
  const lastRetryMs = retryOffsetsMs('webhooks', context.profile.readings).at(-1) ?? 0
  const now = await context.service.advance(Math.max(lastRetryMs, DAY_MS) + DAY_MS)
  await context.process.start({ now })
  const startedAt = context.elapsed()
  const hours = `${Math.floor((Date.parse(now) - Date.parse(begun)) / HOUR_MS)} hours`
  const itsNow = () => Date.parse(now) + context.elapsed() - startedAt
  const findings = await repeatAll(context, acted, {
    when: `${hours} later according to HOOKBENCH_NOW`,
    byItsClock: ({ secret, body }) => signatureHeader([secret], Math.floor(itsNow() / 1_000), body),
  })
  // The receiver may still be working on the repeated notifications.
  if (findings.some((finding) => finding !== undefined)) await context.rest()
  await context.process.stop()
  await context.process.start()
  return {
    findings,
    limit: `, or more than ${hours} later if the receiver reads its time from HOOKBENCH_NOW`,
  }
}
