import type { RequestRecord } from '../../../spec/generated/control-types.ts'
import type { CheckContext, ReceiverCheck } from '../../toolkit/check-context.ts'
import { onePerType, selectBranches } from '../../toolkit/branches.ts'
import {
  combineFindings,
  failed,
  notObservable,
  unreachable,
  type Exchange,
  type Finding,
} from '../../finding.ts'
import { describeExchange, expectAccepted, isAccepted, isReached } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { checkEffects } from '../../toolkit/payment-outcome.ts'

/** The number of consecutive failures that a receiver must survive. */
const FAILURES = 4
/** The number of failures while the pace is watched. */
const MANY_FAILURES = 40
/** The maximum number of calls for a receiver that waits between them, on any machine. */
const MOST_CALLS = 30
const SPAN_MS = 2_000

export const retryChecks: readonly ReceiverCheck[] = [
  {
    id: 'trust/failing-for-a-while',
    severity: 'must',
    requirement: `The receiver acts on a payment even if the service fails ${FAILURES} times in a row when asked.`,
    lines: [283, 297],
    readings: ['show-operations'],
    needs: ['calls', 'effects'],
    meaning:
      'An outage of the service lasts longer than two or three quick calls. A receiver that then stops has accepted the notification, so it never comes again. The payment is lost.',
    remedy: 'Keep unfinished work in a store, and retry with a growing delay until it succeeds.',
    run: (context) => checkEach(context, FAILURES, judgeEffects),
  },
  {
    id: 'trust/waits-between-calls',
    severity: 'should',
    requirement: 'The receiver waits before it asks a failing service again.',
    lines: [283, 347],
    readings: ['show-operations', 'request-limits'],
    needs: ['calls'],
    meaning:
      'A failing service gets hundreds of calls a second from each receiver that retries at once. It recovers later, and may lock your platform out.',
    remedy: 'Wait before each further call, twice as long each time, up to a minute.',
    takesLong: true,
    run: (context) => checkEach(context, MANY_FAILURES, judgePace),
  },
]

/** The calls about one payment during the failures. */
interface Asked {
  readonly payment: PaymentToNotify
  readonly sent: Exchange
  readonly calls: readonly RequestRecord[]
}

type Judge = (context: CheckContext, asked: Asked) => Promise<Finding | undefined> | Finding | undefined

async function checkEach(context: CheckContext, times: number, judge: Judge): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const payments = await playToSuccess(context, onePerType(branches))
  const parts = payments.map(async (payment) => {
    const asked = await askWhileFailing(context, payment, times)
    if (!isReached(asked.sent)) return unreachable(describeExchange(asked.sent), asked.sent)
    const { target, branch } = payment
    if (asked.calls.length === 0)
      return notObservable(`It did not ask for the ${target.type} of ${branch.kind}`)
    return judge(context, asked)
  })
  return combineFindings(await Promise.all(parts), unobserved)
}

/** The fault ends by itself after this many calls. */
async function askWhileFailing(
  context: CheckContext,
  payment: PaymentToNotify,
  times: number,
): Promise<Asked> {
  const { target, message } = payment
  const match = { object_type: target.type, object_id: target.id }
  const trouble = await context.service.disturb({ kind: 'status', status: 503, times, match })
  const label = `${message.label}, while the service fails ${times} times`
  const sent = await context.send(message, { label })
  await context.calls.settle(target)
  await (times > MOST_CALLS ? context.rest() : context.calls.settleAtMost(target, times))
  await trouble.stop()
  return { payment, sent, calls: await context.calls.about(target) }
}

async function judgeEffects(context: CheckContext, { payment, sent }: Asked): Promise<Finding | undefined> {
  const { message } = payment
  const last = isAccepted(sent)
    ? sent
    : await context.sendUntilAccepted(message, { label: `${message.label}, again` })
  const because = `although the service failed ${FAILURES} times in a row as it was asked back`
  return expectAccepted(last) ?? checkEffects(context, payment, because)
}

/** A receiver that rejects leaves the retry to the service. */
function judgePace(_: CheckContext, { payment: { target }, sent, calls }: Asked): Finding | undefined {
  if (!isAccepted(sent)) return notObservable('It refuses a notification while the service fails')
  const [first, last] = [calls[0], calls[MOST_CALLS]]
  const tookMs = first && last ? Date.parse(last.real_at) - Date.parse(first.real_at) : SPAN_MS
  if (tookMs >= SPAN_MS) return undefined
  return failed(
    `at most ${MOST_CALLS} calls about ${target.type} ${target.id} within ${SPAN_MS} ms, while the service answers 503`,
    `${MOST_CALLS + 1} calls within ${tookMs} ms`,
    { exchanges: [sent], objects: [target] },
  )
}
