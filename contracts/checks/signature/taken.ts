import type { CheckContext, MakeSignature } from '../../toolkit/check-context.ts'
import { combineFindings, firstFinding, type Exchange, type Finding } from '../../finding.ts'
import { expectAccepted, expectEffects } from '../../toolkit/expectations.ts'
import type { Sample } from '../../toolkit/expected-effect.ts'
import { unobservedEffectsOn } from '../../toolkit/unobserved.ts'
import { createSamples, named, noWebhookUrl, requireUsual } from './control.ts'

/** A notification that is rightly signed, in an unusual way. */
export interface Variant {
  /** After the label of the message: "signed 30 seconds ago". */
  readonly name: string
  /** As the service does if left out. */
  readonly signature?: MakeSignature
  /** The same JSON in other bytes. */
  readonly spell?: (body: string) => string
}

/** Passed if each is taken, and acted on once; it says something only of a receiver that takes what is signed as usual. */
export async function checkTaken(context: CheckContext, variants: readonly Variant[]): Promise<Finding> {
  const samples = await createSamples(context, variants)
  if (samples.length === 0) return noWebhookUrl()
  const usual = await requireUsual(context)
  if (usual) return usual
  const sent = await Promise.all(
    samples.map(({ message, of: { name, signature, spell = (body) => body } }) =>
      context.send(
        { ...named(message, name), body: spell(message.body) },
        signature === undefined ? {} : { signature },
      ),
    ),
  )
  const finding = await firstFinding(
    () => expectAccepted(...sent),
    async () =>
      combineFindings(
        await Promise.all(samples.map((each, index) => expectEffect(context, each, sent[index]))),
      ),
  )
  return combineFindings([finding], unobservedEffectsOn(context, samples[0]?.target))
}

async function expectEffect(
  context: CheckContext,
  { target, of: { name } }: Sample & { readonly of: Variant },
  exchange: Exchange | undefined,
): Promise<Finding | undefined> {
  const acted = target && (await expectEffects(context, target, { effects: 1, because: `notified ${name}` }))
  if (!target || acted?.kind !== 'failed') return acted
  return { ...acted, evidence: { ...(exchange && { exchanges: [exchange] }), objects: [target] } }
}
