import type { CheckContext, ReceiverCheck, ServiceFault } from '../../toolkit/check-context.ts'
import { onePerType, selectBranches, type Branch } from '../../toolkit/branches.ts'
import {
  combineFindings,
  controlFailed,
  failed,
  notObservable,
  type Exchange,
  type Finding,
} from '../../finding.ts'
import {
  describeExchange,
  describeTimed,
  expectAccepted,
  isAccepted,
  sendAgain,
} from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { named } from '../../toolkit/messages.ts'
import { checkEffects, checkPayments, sendDuring } from '../../toolkit/payment-outcome.ts'

/** After this number of consecutive failed calls back, a receiver must still act on the payment. */
const FAILURES = 4
/** The number of calls back that fail while the check measures how fast the receiver repeats its calls. */
const MANY_FAILURES = 40
/** The maximum number of calls within `SPAN_MS`. A receiver that waits between calls stays below this number on any machine. */
const MAX_CALLS = 30
const SPAN_MS = 2_000

const OUTAGES: readonly FailedCall[] = [
  { name: 'answers 503', fault: { kind: 'status', status: 503 } },
  { name: 'hangs', fault: { kind: 'hang' } },
  { name: 'resets the connection', fault: { kind: 'reset' } },
]

const REFUSALS: readonly FailedCall[] = [
  { name: 'rejects the token as expired', fault: { kind: 'expired-token', times: 1 } },
  { name: 'answers 429', fault: { kind: 'rate-limit', retry_after: 1, times: 1 } },
]

export const troubleChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/slow-show',
    severity: 'should',
    requirement:
      'The receiver answers a notification in time even if the service is slow to show the object.',
    lines: [283, 347],
    readings: ['delivery-deadline', 'show-operations'],
    needs: ['calls'],
    meaning:
      'If the receiver waits for a slow service, every delivery exceeds the deadline and is retried. The retries add load while the receiver is slow, and payments wait for hours.',
    remedy:
      'Store the notification, answer, and ask the service afterwards. Or set a time limit for the call to the service, and answer 503 when it expires.',
    takesLong: true,
    run: (context) => checkPayments(context, (each) => waitingFor(context, each)),
  },
  {
    id: 'trust/failing-show',
    severity: 'must',
    requirement:
      'The receiver does not lose a notification that it accepted while its calls to the service failed.',
    lines: [283, 297],
    readings: ['show-operations'],
    needs: ['calls', 'effects'],
    meaning:
      'An accepted notification is never sent again. A receiver that answers 200 and then cannot fetch the object loses a successful payment. The customer has paid and gets nothing.',
    remedy:
      'Answer 503 if you cannot fetch the object, so that the service sends the notification again. Or store the notification first and retry the call until it succeeds.',
    run: (context) => checkFailedCalls(context, OUTAGES, onePerType),
  },
  {
    id: 'trust/expired-token-and-rate-limit',
    severity: 'must',
    requirement:
      'The receiver gets a new token when its token has expired. When the service reports a rate limit, the receiver waits and calls the service again.',
    lines: [272, 347],
    readings: ['access-token-lifetime', 'request-limits'],
    needs: ['calls', 'effects'],
    meaning:
      'The token expires every hour, and on busy days your platform can reach the rate limit. A receiver that treats 401, 403 or 429 as an unknown payment loses payments.',
    remedy:
      'After 401 or 403, get a new token and repeat the call once. After 429, wait for the time in Retry-After. If the repeated call fails, answer 503.',
    run: (context) => checkFailedCalls(context, REFUSALS, (branches) => branches.slice(0, 1)),
  },
  {
    id: 'trust/failing-for-a-while',
    severity: 'must',
    requirement: `The receiver acts on a payment even if the service fails ${FAILURES} calls in a row.`,
    lines: [283, 297],
    readings: ['show-operations'],
    needs: ['calls', 'effects'],
    meaning:
      'An outage of the service lasts longer than two or three quick calls. The service does not resend an accepted notification. If the receiver gives up calling the service, the payment is lost.',
    remedy: 'Store unfinished work, and retry the work with a growing delay until it succeeds.',
    run: (context) => checkPayments(context, (each) => outlast(context, each)),
  },
  {
    id: 'trust/waits-between-calls',
    severity: 'should',
    requirement: 'The receiver waits before it asks a failing service again.',
    lines: [283, 347],
    readings: ['show-operations', 'request-limits'],
    needs: ['calls'],
    meaning:
      'A receiver that retries without a pause makes hundreds of calls a second. The service then takes longer to recover, and may lock your platform out.',
    remedy: 'Wait before each further call. Double the wait after each failed call, up to a minute.',
    takesLong: true,
    run: (context) => checkPayments(context, (each) => checkPace(context, each)),
  },
]

/** Fails if the receiver answers late twice while the service is slow, but on time while the service is fast. */
async function waitingFor(context: CheckContext, payment: PaymentToNotify): Promise<Finding | undefined> {
  const { budgetMs } = context.profile
  const slow = { fault: { kind: 'delay', delay_ms: budgetMs }, name: 'while the service is slow' } as const
  const first = await sendDuring(context, payment, slow)
  if (first.blind?.kind === 'inconclusive' || !isLate(context, first.sent)) return first.blind
  const [control, again] = await playToSuccess(context, [payment.branch, payment.branch])
  if (!control || !again) return undefined
  const quick = await context.send(named(control.message, 'while the service is quick'), { role: 'control' })
  if (isLate(context, quick)) {
    const why = `${describeLate(quick)}, although the service showed the object quickly`
    return controlFailed(why, { exchanges: [quick] }, { see: ['http/answers-in-time'] })
  }
  const { sent } = await sendDuring(context, again, slow)
  const expected = `an answer within ${budgetMs} ms, even if the service needs all of that time to show the object`
  return isLate(context, sent)
    ? failed(expected, describeLate(sent), { exchanges: [first.sent, quick, sent] })
    : undefined
}

function isLate({ profile: { budgetMs } }: CheckContext, { status, tookMs }: Exchange): boolean {
  return status === null || tookMs >= budgetMs
}

function describeLate(sent: Exchange): string {
  return sent.status === null ? describeExchange(sent) : describeTimed(sent)
}

interface FailedCall {
  readonly name: string
  readonly fault: ServiceFault
}

async function checkFailedCalls(
  context: CheckContext,
  failures: readonly FailedCall[],
  choose: (branches: readonly Branch[]) => readonly Branch[],
): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await Array.fromAsync(failures, () => playToSuccess(context, choose(branches)))
  const parts = failures.flatMap((failure, index) =>
    (finished[index] ?? []).map((each) => expectNotLost(context, each, failure)),
  )
  return combineFindings(await Promise.all(parts), unobserved)
}

/** Fails if the receiver loses a payment after a failed call. Sends the notification again only if the receiver rejected it. */
async function expectNotLost(context: CheckContext, payment: PaymentToNotify, { name, fault }: FailedCall) {
  const { sent, blind } = await sendDuring(context, payment, { fault, name: `while the service ${name}` })
  if (blind) return blind
  const again = await sendAgain(context, payment.message, sent)
  const answer = isAccepted(sent) ? 'was accepted' : 'was rejected and sent again'
  const because = `when the service ${name} on a call of the receiver, and then recovers (the notification ${answer})`
  return expectAccepted(again) ?? checkEffects(context, payment, because)
}

function failing(times: number) {
  const fault = { kind: 'status', status: 503, times } as const
  return { fault, name: `while the service fails ${times} times` }
}

async function outlast(context: CheckContext, payment: PaymentToNotify): Promise<Finding | undefined> {
  const until = () => context.calls.settleAtMost(payment.target, FAILURES)
  const { sent, blind } = await sendDuring(context, payment, { ...failing(FAILURES), until })
  if (blind) return blind
  const last = await sendAgain(context, payment.message, sent)
  const because = `although the service failed ${FAILURES} calls of the receiver in a row`
  return expectAccepted(last) ?? checkEffects(context, payment, because)
}

/** Fails if the receiver repeats its calls too quickly. Not observable if the receiver rejects the notification. */
async function checkPace(context: CheckContext, payment: PaymentToNotify): Promise<Finding | undefined> {
  const { target } = payment
  const trouble = { ...failing(MANY_FAILURES), until: context.rest }
  const { sent, blind } = await sendDuring(context, payment, trouble)
  if (blind) return blind
  if (!isAccepted(sent)) return notObservable('the receiver rejects a notification while the service fails')
  const calls = await context.calls.about(target)
  const [first, last] = [calls[0], calls[MAX_CALLS]]
  const tookMs = first && last ? Date.parse(last.real_at) - Date.parse(first.real_at) : SPAN_MS
  if (tookMs >= SPAN_MS) return undefined
  return failed(
    `at most ${MAX_CALLS} calls about ${target.type} ${target.id} within ${SPAN_MS} ms, while the service answers 503`,
    `${MAX_CALLS + 1} calls within ${tookMs} ms`,
    { exchanges: [sent], objects: [target] },
  )
}
