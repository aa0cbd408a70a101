import type { CheckContext, MakeSignature } from '../../toolkit/check-context.ts'
import {
  combineFindings,
  failed,
  firstFinding,
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

interface Sent {
  readonly sample: Sample
  readonly exchange: Exchange
}

/**
 * Passed if nothing is done about any of these, each a payment of its own. Where effects are not observable the answer
 * decides; where they are, a receiver may answer first and verify later.
 */
export async function checkForgeries(context: CheckContext, forgeries: readonly Forgery[]): Promise<Finding> {
  const samples = await createSamples(context, forgeries)
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
  const findings = await Promise.all(sent.map((each) => expectNothing(context, each)))
  return combineFindings(findings, unobservedEffectsOn(context, samples[0]?.target))
}

function requireAnswer({ exchange }: Sent): Finding | undefined {
  return isReached(exchange) ? undefined : unreachable(describeExchange(exchange), exchange)
}

async function expectNothing(
  context: CheckContext,
  { sample: { target }, exchange }: Sent,
): Promise<Finding | undefined> {
  if (!target || !context.effects.observable) {
    if (!isAccepted(exchange)) return undefined
    return failed('a refusal, such as 401', describeExchange(exchange), { exchanges: [exchange] })
  }
  const because = `of which nothing came but ${exchange.label}`
  const acted = await expectEffects(context, target, { effects: 0, because })
  if (acted?.kind !== 'failed') return acted
  return { ...acted, evidence: { exchanges: [exchange], objects: [target] } }
}
