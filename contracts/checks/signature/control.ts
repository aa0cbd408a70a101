import type { CheckContext, Message } from '../../toolkit/check-context.ts'
import { controlFailed, notObservable, type Finding } from '../../finding.ts'
import { expectEffects, requireAccepted } from '../../toolkit/expectations.ts'
import { createSample, type Sample } from '../../toolkit/expected-effect.ts'

/** A payment for each of these, or else any object; none if the receiver has no URL for webhooks. */
export async function createSamples<Each>(
  context: CheckContext,
  all: readonly Each[],
): Promise<readonly (Sample & { readonly of: Each })[]> {
  const samples: (Sample & { readonly of: Each })[] = []
  for (const of of all) {
    const sample = await createSample(context)
    if (sample) samples.push({ ...sample, of })
  }
  return samples
}

/** Callbacks are never signed: a receiver without a URL for webhooks has nothing to verify. Reading: signature */
export function noWebhookUrl() {
  return notObservable('the receiver has no URL for webhooks, which alone are signed')
}

/**
 * Inconclusive if the receiver does not take a notification that is signed as usual, or does not act on it. What came before
 * it has been worked off once it has acted, however late it works.
 */
export async function requireUsual(context: CheckContext): Promise<Finding | undefined> {
  const usual = await createSample(context)
  if (!usual) return noWebhookUrl()
  const { message, target } = usual
  const sent = await context.send(message, { label: `${message.label}, signed as usual`, role: 'control' })
  const refused = requireAccepted(sent)
  if (refused || !target) return refused
  const acted = await expectEffects(context, target, { effects: 1, because: 'signed as usual' })
  if (acted?.kind !== 'failed') return acted
  const why = `as usual it does not act once either: expected ${acted.expected}, saw ${acted.actual}`
  return controlFailed(why, { exchanges: [sent], objects: [target] })
}

/** The message as the report names it. */
export function named(message: Message, name: string): Message {
  return { ...message, label: `${message.label}, ${name}` }
}
