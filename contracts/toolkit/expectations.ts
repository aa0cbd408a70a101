import {
  controlFailed,
  failed,
  unreachable,
  withSymptom,
  type Exchange,
  type Failed,
  type Finding,
  type ObjectRef,
} from '../finding.ts'
import type { CheckContext, Message, SendOptions } from './check-context.ts'
import { named } from './messages.ts'
import type { EffectState, SeenDelay } from './ports.ts'
import { describeFlags } from '../../sandbox/internal.ts'
import { isSuccess } from '../../spec/delivery.ts'
import { formatMoney } from '../../spec/money.ts'

/** Returns true if the service counts the delivery as successful. Reading: delivery-success */
export function isAccepted({ status }: Pick<Exchange, 'status'>): boolean {
  return status !== null && isSuccess(status)
}

/** Returns true for a 4xx status. Any other status outside 2xx is an error of the receiver, not a rejection. */
export function isRefused({ status }: Pick<Exchange, 'status'>): boolean {
  return status !== null && status >= 400 && status < 500
}

/** The reasons for a missing answer after the connection was made. These reasons count as failures of the receiver. Source: §6.1 */
const REACHED: ReadonlySet<string> = new Set([
  'send_timeout',
  'header_timeout',
  'closed_without_response',
  'reset',
  'protocol_error',
  'unexpected_upgrade',
])

/** Returns true if the sender was connected to the receiver, with or without an answer. */
export function isReached({ status, reason }: Exchange): boolean {
  return status !== null || REACHED.has(reason ?? '')
}

const TIMEOUTS: ReadonlySet<string> = new Set(['send_timeout', 'header_timeout'])

export function isTimedOut({ reason }: Exchange): boolean {
  return TIMEOUTS.has(reason ?? '')
}

/** The reason code for a request that was not sent because the receiver does not respond. */
export const NOT_SENT = 'not_sent'

export const isNotSent = ({ reason }: Exchange) => reason === NOT_SENT

export function describeExchange({ label, status, message, flags }: Exchange): string {
  const twice = isSentTwice({ flags }) ? `, ${describeFlags(['connection_retried'])}` : ''
  const answer = status === null ? `was not answered: ${message}` : `was answered ${status}`
  return `${label} ${answer}${twice}`
}

export function describeTimed(sent: Exchange): string {
  return `${describeExchange(sent)} after ${Math.round(sent.tookMs)} ms`
}

/** Returns true if the receiver may have seen this delivery twice, because a persistent connection ended early. */
export function isSentTwice({ flags }: Pick<Exchange, 'flags'>): boolean {
  return flags.includes('connection_retried')
}

export function requireReached(...exchanges: readonly Exchange[]): Finding | undefined {
  const lost = exchanges.find((exchange) => !isReached(exchange))
  return lost && unreachable(describeExchange(lost), lost)
}

/** Returns a failure for a rejected request. Inconclusive if a request was not sent or did not reach the receiver. */
export function expectAccepted(...exchanges: readonly Exchange[]): Finding | undefined {
  const sent = exchanges.filter((exchange) => !isNotSent(exchange))
  const refused = sent.filter((exchange) => !isAccepted(exchange))
  if (refused.length === 0) return requireReached(...exchanges)
  const first = refused.slice(0, 3).map(describeExchange).join('; ')
  const more = refused.length > 3 ? `; ${refused.length - 3} more of ${sent.length} were rejected` : ''
  const failure = failed('an answer from 200 to 299', `${first}${more}`, { exchanges: refused })
  return requireReached(...sent) ?? failure
}

/** Returns an inconclusive finding if the receiver did not accept a request on which later steps depend. */
export function requireAccepted(...exchanges: readonly Exchange[]): Finding | undefined {
  const refused = exchanges.find((exchange) => !isAccepted(exchange))
  if (!refused) return undefined
  const why = `${describeExchange(refused)}, but the check requires that this delivery is accepted first`
  return requireReached(...exchanges) ?? controlFailed(why, { exchanges: [refused] })
}

export function expectRefused(expected: string, ...exchanges: readonly Exchange[]): Finding | undefined {
  const lost = exchanges.find(({ status }) => status === null)
  const other = lost ?? exchanges.find((exchange) => !isRefused(exchange))
  return other && (requireReached(other) ?? failedExchange(expected, other))
}

/** Returns a failure if the receiver neither accepted nor rejected a request. */
export function expectAnswered(sent: Exchange): Finding | undefined {
  if (isAccepted(sent) || isRefused(sent)) return undefined
  return requireReached(sent) ?? failedExchange('an answer from 200 to 299 or from 400 to 499', sent)
}

export async function expectRefusedWithoutEffect(
  context: CheckContext,
  { sent, target }: { readonly sent: readonly Exchange[]; readonly target: ObjectRef | undefined },
  { refusal, because }: { readonly refusal: string; readonly because: string },
): Promise<Finding | undefined> {
  return expectRefused(refusal, ...sent) ?? expectEffects(context, target, { effects: 0, because })
}

export function failedExchange(expected: string, sent: Exchange, actual = describeExchange(sent)): Failed {
  return failed(expected, actual, { exchanges: [sent] })
}

interface ExpectedEffects {
  readonly effects: number
  /** The state that the receiver must report. If omitted, any state is accepted. */
  readonly state?: string | undefined
  readonly because: string
  /** True if no further message about the object follows. The check then rereads the effects at the end instead of waiting. */
  readonly isLast?: true
}

/** Judges effects now and at the end of the run. Returns undefined without an object or without observable effects. */
export async function expectEffects(
  context: CheckContext,
  object: ObjectRef | undefined,
  expected: ExpectedEffects,
): Promise<Finding | undefined> {
  if (!object || !context.effects.observable) return undefined
  const { effects, state, isLast } = expected
  const { read, reach, reachState, settle } = context.effects
  const judge = (seen: EffectState): Finding | undefined => {
    const other = otherState(object, seen, expected)
    const count = otherCount(context, object, { expected, seen })
    // A receiver that has not processed this state cannot act on the object.
    const couldNotAct = count && other && seen.effects < effects
    return couldNotAct ? { ...count, symptom: 'other-state' } : (count ?? other)
  }
  // Reads the effects again at the end of the run. If later messages could hide a wrong effect, waits now instead.
  const isSeenAtEnd = effects > 0 || isLast === true
  const reached = isSeenAtEnd ? await reach(object, effects) : await settle(object, effects)
  const isOtherState = state !== undefined && reached.state !== null && reached.state !== state
  const seen = isOtherState ? await reachState(object, state) : reached
  const finding = judge(seen)
  if (finding || !isSeenAtEnd) return finding
  context.atEnd(object, async () => {
    const now = await read(object)
    // If the number is lower than before, the effects page counts in memory and has started again from zero.
    return now.effects < seen.effects ? undefined : judge(now)
  })
  return undefined
}

function otherState(
  object: ObjectRef,
  seen: EffectState,
  { state, because }: ExpectedEffects,
): Finding | undefined {
  if (state === undefined || seen.state === state || seen.state === null) return undefined
  const expected = `${object.type} ${object.id} in the state ${state}, ${because}`
  return { ...failed(expected, describeEffects(seen), { objects: [object] }), symptom: 'other-state' }
}

function otherCount(
  { effects: watch }: Pick<CheckContext, 'effects'>,
  object: ObjectRef,
  { expected: due, seen }: { readonly expected: ExpectedEffects; readonly seen: EffectState },
): Failed | undefined {
  const { effects, because } = due
  if (seen.effects === effects) return undefined
  const expected = `${formatEffectCount(effects)} for ${object.type} ${object.id}, ${because}`
  const actual =
    seen.effects === 0 ? describeAbsence(object, seen, watch.delay(object.type)) : describeEffects(seen)
  return withSymptom(failed(expected, actual, { objects: [object] }), seen.effects, effects)
}

/** Names the waiting time, because a late effect looks like a missing effect. */
function describeAbsence({ type }: ObjectRef, { state }: EffectState, { latestMs, waitedMs }: SeenDelay) {
  const belief = `and the receiver shows ${formatBelief(state)}`
  const waited = `within ${formatSeconds(waitedMs)}`
  if (latestMs !== null) return `no effect ${waited}, ${belief}`
  return `no effect, ${belief}. No ${type} of this run had an effect ${waited}. If your receiver acts later, raise settleMs (--settle MS)`
}

export function formatSeconds(durationMs: number): string {
  return `${Math.round(durationMs / 100) / 10} s`
}

function formatBelief(state: string | null): string {
  return state === null ? 'no state' : `the state ${state}`
}

export function formatEffectCount(effects: number): string {
  return effects === 0 ? 'no effect' : effects === 1 ? 'one effect' : `${effects} effects`
}

/** Returns a text with the number of effects and the amount, such as `one effect of AUD 12.00`. */
export function describeEffectCount({ effects, amount, currency }: EffectState): string {
  const money = amount === undefined || effects === 0 ? '' : ` of ${formatMoney(amount, currency)}`
  return `${formatEffectCount(effects)}${money}`
}

export function describeEffects(seen: EffectState): string {
  return `${describeEffectCount(seen)}, and the receiver shows ${formatBelief(seen.state)}`
}

/** Stops after a message without an answer, because each further message could also time out. */
export async function sendAll(
  context: CheckContext,
  messages: readonly Message[],
  options?: SendOptions,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  for (const message of messages) {
    const exchange = await context.send(message, options)
    exchanges.push(exchange)
    if (exchange.status === null) break
  }
  return exchanges
}

/** Repeats a rejected notification until the receiver accepts it, as the service does. Returns the last exchange. */
export async function sendAgain(context: CheckContext, message: Message, sent: Exchange): Promise<Exchange> {
  return isAccepted(sent) ? sent : context.sendUntilAccepted(named(message, 'again'))
}
