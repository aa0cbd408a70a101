import type { CheckContext, ServiceObjects, ReceiverCheck } from '../../toolkit/check-context.ts'
import { selectBranches, onePerType } from '../../toolkit/branches.ts'
import {
  combineFindings,
  controlFailed,
  failed,
  notObservable,
  unreachable,
  type Exchange,
  type Finding,
} from '../../finding.ts'
import { describeExchange, expectAccepted, isAccepted, isReached } from '../../toolkit/expectations.ts'
import { playToSuccess, type PaymentToNotify } from '../../toolkit/expected-effect.ts'
import { checkEffects } from '../../toolkit/payment-outcome.ts'

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
      'A slow service delays every delivery until it fails and is repeated. The receiver has the most work when it can do the least, and payments wait for hours.',
    remedy:
      'Store the notification, answer, and ask the service afterwards. Or stop asking in time and answer 503.',
    takesLong: true,
    run: slowShow,
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
      'Answer 503 if you cannot fetch the object, so that the notification comes again. Or store the notification first and retry the call until it succeeds.',
    run: failingShow,
  },
  {
    id: 'trust/expired-token-and-rate-limit',
    severity: 'must',
    requirement:
      'The receiver gets a new token when its token has expired, and asks again later when it has reached a rate limit.',
    lines: [272, 347],
    readings: ['access-token-lifetime', 'request-limits'],
    needs: ['calls', 'effects'],
    meaning:
      'The token expires once an hour, and there are limits on busy days. A receiver that treats either as an unknown payment loses the payments of that moment.',
    remedy:
      'After 401 or 403, get a token and ask once more. After 429, wait as long as Retry-After says. If all of this fails, answer 503.',
    run: expiredTokenAndRateLimit,
  },
]

async function slowShow(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const finished = await playToSuccess(context, onePerType(branches))
  return combineFindings(await Promise.all(finished.map((each) => waitingFor(context, each))), unobserved)
}

/** Fails only if the receiver is late again and fast without the trouble. The machine may be busy once. */
async function waitingFor(context: CheckContext, finished: PaymentToNotify): Promise<Finding | undefined> {
  const { branch, target } = finished
  const first = await sendWhileSlow(context, finished)
  if (!isReached(first.sent)) return unreachable(describeExchange(first.sent), first.sent)
  if (!isLate(context, first.sent))
    return first.isAsked
      ? undefined
      : notObservable(`It did not ask for the ${target.type} of ${branch.kind}`)
  const [control, again] = await playToSuccess(context, [branch, branch])
  if (!control || !again) return undefined
  const label = `${control.message.label}, while the service is quick`
  const quick = await context.send(control.message, { label, role: 'control' })
  if (isLate(context, quick)) {
    const why = `${describeLate(quick)}, although the service was quick to show it`
    return controlFailed(why, { exchanges: [quick] }, { see: ['http/answers-in-time'] })
  }
  const { sent } = await sendWhileSlow(context, again)
  const { budgetMs } = context.profile
  const expected = `an answer within ${budgetMs} ms, while the service takes as long to show it`
  return isLate(context, sent)
    ? failed(expected, describeLate(sent), { exchanges: [first.sent, quick, sent] })
    : undefined
}

function isLate({ profile: { budgetMs } }: CheckContext, { status, tookMs }: Exchange): boolean {
  return status === null || tookMs >= budgetMs
}

function describeLate(sent: Exchange): string {
  const after = sent.status === null ? '' : ` after ${Math.round(sent.tookMs)} ms`
  return `${describeExchange(sent)}${after}`
}

async function sendWhileSlow(
  context: CheckContext,
  { target, message }: PaymentToNotify,
): Promise<{ readonly sent: Exchange; readonly isAsked: boolean }> {
  const match = { object_type: target.type, object_id: target.id }
  const { budgetMs } = context.profile
  const slow = await context.service.disturb({ kind: 'delay', match, delay_ms: budgetMs })
  const sent = await context.send(message, { label: `${message.label}, while the service is slow` })
  const calls = await context.calls.settle(target)
  await slow.stop()
  return { sent, isAsked: calls.length > 0 }
}

type Fault = Omit<Parameters<ServiceObjects['disturb']>[0], 'match'>

/** The ways in which the service fails to show an object. */
const FAILURES: readonly { readonly name: string; readonly fault: Fault }[] = [
  { name: 'answers 503', fault: { kind: 'status', status: 503 } },
  { name: 'hangs', fault: { kind: 'hang' } },
  { name: 'resets the connection', fault: { kind: 'reset' } },
]

async function failingShow(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const chosen = onePerType(branches)
  const parts: (() => Promise<Finding | undefined>)[] = []
  for (const { name, fault } of FAILURES) {
    const finished = await playToSuccess(context, chosen)
    parts.push(...finished.map((each) => () => losing(context, each, { name, fault })))
  }
  return combineFindings(await Promise.all(parts.map((part) => part())), unobserved)
}

/**
 * The service recovers after the first call. If it never answers, it recovers then too, because the receiver
 * may wait.
 */
async function losing(
  context: CheckContext,
  finished: PaymentToNotify,
  { name, fault }: (typeof FAILURES)[number],
): Promise<Finding | undefined> {
  const { target, message, branch } = finished
  const match = { object_type: target.type, object_id: target.id }
  const trouble = await context.service.disturb({ ...fault, match })
  const sending = context.send(message, { label: `${message.label}, while the service ${name}` })
  if (fault.kind !== 'hang') await sending
  const calls = await context.calls.settle(target)
  await trouble.stop()
  const sent = await sending
  if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
  if (calls.length === 0) return notObservable(`It did not ask for the ${target.type} of ${branch.kind}`)
  return notLost(context, finished, {
    sent,
    because: `when the service ${name} as it is asked back, and then recovers`,
  })
}

interface Attempted {
  readonly sent: Awaited<ReturnType<CheckContext['send']>>
  readonly because: string
}

/** Repeats only rejected notifications. */
async function notLost(
  context: CheckContext,
  finished: PaymentToNotify,
  { sent, because }: Attempted,
): Promise<Finding | undefined> {
  if (isAccepted(sent)) return checkEffects(context, finished, `${because}; the notification was accepted`)
  const again = await context.sendUntilAccepted(finished.message, {
    label: `${finished.message.label}, again`,
  })
  return (
    expectAccepted(again) ??
    checkEffects(context, finished, `${because}; the notification was refused, and came again`)
  )
}

const REFUSALS: readonly { readonly name: string; readonly fault: Fault }[] = [
  { name: 'refuses the token as expired', fault: { kind: 'expired-token', times: 1 } },
  { name: 'answers 429', fault: { kind: 'rate-limit', retry_after: 1, times: 1 } },
]

async function expiredTokenAndRateLimit(context: CheckContext): Promise<Finding> {
  const { branches, unobserved } = selectBranches(context, 'good')
  const [branch] = branches
  if (!branch) return notObservable(unobserved ?? 'It is notified of no payment')
  const parts: (() => Promise<Finding | undefined>)[] = []
  for (const refusal of REFUSALS) {
    const finished = await playToSuccess(context, [branch])
    parts.push(...finished.map((each) => () => refused(context, each, refusal)))
  }
  return combineFindings(await Promise.all(parts.map((part) => part())), unobserved)
}

async function refused(
  context: CheckContext,
  finished: PaymentToNotify,
  { name, fault }: (typeof REFUSALS)[number],
): Promise<Finding | undefined> {
  const { target, message } = finished
  const match = { object_type: target.type, object_id: target.id }
  const trouble = await context.service.disturb({ ...fault, match })
  const sent = await context.send(message, { label: `${message.label}, while the service ${name}` })
  const calls = await context.calls.settle(target)
  if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
  if (calls.length === 0) return notObservable(`It did not ask for ${target.type}`)
  const finding = await notLost(context, finished, { sent, because: `when the service ${name} once` })
  await trouble.stop()
  return finding
}
