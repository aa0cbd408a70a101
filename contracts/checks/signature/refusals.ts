import type { CheckContext, MakeSignature } from '../../toolkit/check-context.ts'
import {
  combineFindings,
  failed,
  firstFinding,
  notObservable,
  unreachable,
  type Exchange,
  type Finding,
} from '../../finding.ts'
import { describeExchange, expectEffects, isAccepted, isReached } from '../../toolkit/expectations.ts'
import type { Sample } from '../../toolkit/expected-effect.ts'
import { unobservedEffectsOn } from '../../toolkit/unobserved.ts'
import { createSamples, named, noWebhookUrl, requireUsual } from './control.ts'

/** A notification that is true, and that nobody can know for true by its signature. */
export interface Forgery {
  /** After the label of the message: "unsigned". */
  readonly name: string
  /** Null for none. */
  readonly signature: MakeSignature | null
}

/** What is notified so. */
export type ForgedSample = Sample & { readonly of: Forgery }

interface Sent {
  readonly sample: ForgedSample
  readonly exchange: Exchange
}

/** Passed if nothing is done about any of these, each a payment of its own. */
export async function checkForgeries(context: CheckContext, forgeries: readonly Forgery[]): Promise<Finding> {
  return checkForgedSamples(context, await createSamples(context, forgeries))
}

/**
 * Passed if nothing is done about any of these. Where effects are not observable the answer decides; where they are, a receiver
 * may answer first and verify later.
 */
export async function checkForgedSamples(
  context: CheckContext,
  samples: readonly ForgedSample[],
): Promise<Finding> {
  if (samples.length === 0) return noWebhookUrl()
  const sent = await Promise.all(
    samples.map(async (sample) => {
      const { message, of } = sample
      const exchange = await context.send(named(message, of.name), { signature: of.signature })
      return { sample, exchange }
    }),
  )
  const looks = await firstFinding(
    () => sent.map(requireAnswer).find((finding) => finding !== undefined),
    () => requireUsual(context),
  )
  if (looks.kind !== 'passed') return looks
  const isLate = sent.some((each) => isAccepted(each.exchange) && hasEffects(context, each))
  const findings = await Promise.all(
    sent.map(async (each) => {
      if (hasEffects(context, each)) return expectNoEffect(context, each)
      return isLate ? expectNoQuestion(context, each) : expectNotAccepted(each)
    }),
  )
  return combineFindings(findings, unobservedEffectsOn(context, samples[0]?.target))
}

function requireAnswer({ exchange }: Sent): Finding | undefined {
  return isReached(exchange) ? undefined : unreachable(describeExchange(exchange), exchange)
}

function hasEffects({ effects }: CheckContext, { sample: { target } }: Sent): boolean {
  return effects.observable && target !== undefined
}

async function expectNoEffect(
  context: CheckContext,
  { sample: { target }, exchange }: Sent,
): Promise<Finding | undefined> {
  const because = `notified only as "${exchange.label}"`
  const acted = target && (await expectEffects(context, target, { effects: 0, because }))
  if (!target || acted?.kind !== 'failed') return acted
  return { ...acted, evidence: { exchanges: [exchange], objects: [target] } }
}

function expectNotAccepted({ exchange }: Sent): Finding | undefined {
  if (!isAccepted(exchange)) return undefined
  return failed('a refusal, such as 401', describeExchange(exchange), { exchanges: [exchange] })
}

/** Of one that verifies after its answer: what it has no effects of, it may only not ask for. */
async function expectNoQuestion(
  { calls }: CheckContext,
  { sample: { message }, exchange }: Sent,
): Promise<Finding | undefined> {
  if (!isAccepted(exchange)) return undefined
  if (!calls.observable)
    return notObservable(`what it does about ${message.type}, which it answers before it verifies`)
  const [call] = await calls.settleAtMost(message, 0)
  const evidence = { exchanges: [exchange], objects: [{ type: message.type, id: message.id }] }
  return (
    call &&
    failed(`no call for what was notified only as "${exchange.label}"`, `it asked for ${call.path}`, evidence)
  )
}
