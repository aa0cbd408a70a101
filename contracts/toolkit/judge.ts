import { isSuccess } from '../../spec/delivery.ts'
import type { CheckContext, EffectTarget, Notice } from './check-context.ts'
import type { EffectState } from './effects.ts'
import { controlFailed, failed, unreachable, type Finding } from '../finding.ts'
import type { Sent } from './sent.ts'

/** Reading: delivery-success */
export function isAccepted({ status }: Sent): boolean {
  return status !== null && isSuccess(status)
}

/** Why a receiver with which a connection stood did not answer: for the service these are failed deliveries. Source: §6.1 */
const REACHED: ReadonlySet<string> = new Set([
  'send_timeout',
  'header_timeout',
  'closed_without_response',
  'reset',
  'protocol_error',
  'unexpected_upgrade',
])

/** Whether the receiver was there to answer, whatever it made of it. */
export function isReached({ status, reason }: Sent): boolean {
  return status !== null || REACHED.has(reason ?? '')
}

/** What the receiver did with a request, in a few words. */
export function told({ label, status, message }: Sent): string {
  return status === null ? `${label} was not answered: ${message}` : `${label} was answered ${status}`
}

/** Failed if any was not accepted; inconclusive if one did not reach the receiver. */
export function acceptedAll(...sent: readonly Sent[]): Finding | undefined {
  const lost = sent.find((one) => !isReached(one))
  if (lost) return unreachable(told(lost))
  const refused = sent.filter((one) => !isAccepted(one))
  if (refused.length === 0) return undefined
  const named = refused.slice(0, 3).map(told).join('; ')
  const more = refused.length > 3 ? `; ${refused.length - 3} more of ${sent.length} were refused` : ''
  return failed('an answer from 200 to 299', `${named}${more}`)
}

/** Inconclusive if any was not accepted: what comes next builds on it. */
export function acceptedFirst(...sent: readonly Sent[]): Finding | undefined {
  const lost = sent.find((one) => !isReached(one))
  if (lost) return unreachable(told(lost))
  const refused = sent.find((one) => !isAccepted(one))
  return refused && controlFailed(`${told(refused)}, which had to be accepted first`)
}

/** Failed if a refusal was expected and something else came. */
export function refusedAll(expected: string, ...sent: readonly Sent[]): Finding | undefined {
  const lost = sent.find((one) => one.status === null)
  if (lost) return isReached(lost) ? failed(expected, told(lost)) : unreachable(told(lost))
  const taken = sent.find((one) => !(one.status !== null && one.status >= 400 && one.status < 500))
  return taken && failed(expected, told(taken))
}

/** Failed if, once it has settled, the count of effects is another; nothing where effects are not observable. */
export async function effectsOf(
  context: CheckContext,
  target: EffectTarget,
  { effects, because }: { readonly effects: number; readonly because: string },
): Promise<Finding | undefined> {
  if (!context.effects.observable) return undefined
  const seen = await context.effects.settle(target, effects)
  if (seen.effects === effects) return undefined
  return failed(`${counted(effects)} for ${target.type} ${target.id}, ${because}`, sentence(seen))
}

/** Failed if the receiver comes to believe another state; nothing where effects, or states, are not observable. */
export async function stateOf(
  context: CheckContext,
  target: EffectTarget,
  { state, because }: { readonly state: string; readonly because: string },
): Promise<Finding | undefined> {
  if (!context.effects.observable) return undefined
  const seen = await context.effects.settleState(target, state)
  if (seen.state === state || seen.state === null) return undefined
  return failed(`${target.type} ${target.id} believed to be ${state}, ${because}`, sentence(seen))
}

export function counted(effects: number): string {
  return effects === 0 ? 'no effect' : effects === 1 ? 'one effect' : `${effects} effects`
}

export function sentence({ effects, state, amount, currency }: EffectState): string {
  const money = amount === undefined ? '' : ` of ${amount}${currency === undefined ? '' : ` ${currency}`}`
  return `${counted(effects)}${money}, and it believes ${state === null ? 'no state' : `the state ${state}`}`
}

/** Sends each in turn, up to the first that is not answered at all: each further one might take its whole deadline. */
export async function sendAll(context: CheckContext, notices: readonly Notice[]): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  for (const notice of notices) {
    const one = await context.send(notice)
    sent.push(one)
    if (one.status === null) break
  }
  return sent
}
