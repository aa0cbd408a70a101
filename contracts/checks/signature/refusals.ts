import { combineFindings, notObservable, type Exchange, type Finding } from '../../finding.ts'
import type { CheckContext, MakeSignature, ReceiverCheck } from '../../toolkit/check-context.ts'
import { requireEffect } from '../../toolkit/control-comparison.ts'
import {
  expectAccepted,
  expectEffects,
  failedExchange,
  isAccepted,
  requireAccepted,
  requireReached,
} from '../../toolkit/expectations.ts'
import { createSample, type Sample } from '../../toolkit/expected-effect.ts'
import { named } from '../../toolkit/messages.ts'
import { unobservedEffectsOn } from '../../toolkit/unobserved.ts'

/** The finding for a receiver that has URLs for callbacks only. Callbacks are never signed. Reading: signature */
export const NO_WEBHOOK_URL = notObservable(
  'the receiver has no URL for webhooks, and only webhooks are signed',
)

export interface Forgery {
  /** The description that follows the label of the message, such as "unsigned". */
  readonly name: string
  readonly signature: MakeSignature | null
}

export type ForgedSample = Sample & { readonly of: Forgery }

export async function checkForgeries(context: CheckContext, forgeries: readonly Forgery[]): Promise<Finding> {
  return checkForgedSamples(context, await createSamples(context, forgeries))
}

/** Fails if a forged notification has an effect or, if effects are not observable, is accepted. */
export async function checkForgedSamples(
  context: CheckContext,
  samples: readonly ForgedSample[],
): Promise<Finding> {
  if (samples.length === 0) return NO_WEBHOOK_URL
  const { observable } = context.effects
  const sent = await Promise.all(
    samples.map(({ message, of }) => context.send(named(message, of.name), { signature: of.signature })),
  )
  const lost = requireReached(...sent) ?? (await requireUsual(context))
  if (lost) return lost
  const isLate = sent.some((each, index) => isAccepted(each) && observable && samples[index]?.target)
  const findings = samples.map(async (sample, index) => {
    const exchange = sent[index]
    if (!exchange) return undefined
    const because = `whose only notification was "${exchange.label}"`
    if (observable && sample.target) return expectEffect(context, sample, { exchange, effects: 0, because })
    if (!isAccepted(exchange)) return undefined
    return isLate
      ? expectNoCall(context, sample, exchange)
      : failedExchange('a rejection, such as 401', exchange)
  })
  return combineFindings(await Promise.all(findings), unobservedEffectsOn(context, samples[0]?.target))
}

interface ExpectedCount {
  readonly exchange: Exchange | undefined
  readonly effects: number
  readonly because: string
}

async function expectEffect(
  context: CheckContext,
  { target }: Sample,
  { exchange, ...expected }: ExpectedCount,
) {
  const acted = await expectEffects(context, target, expected)
  if (!target || acted?.kind !== 'failed') return acted
  return { ...acted, evidence: { ...(exchange && { exchanges: [exchange] }), objects: [target] } }
}

async function expectNoCall({ calls }: CheckContext, { message }: Sample, exchange: Exchange) {
  const { type, id } = message
  if (!calls.observable)
    return notObservable(
      `the reaction of the receiver to ${type}, because the receiver answers before it verifies`,
    )
  const [call] = await calls.settleAtMost(message, 0)
  const expected = `no call for an object whose only notification was "${exchange.label}"`
  const evidence = { exchanges: [exchange], objects: [{ type, id }] }
  return call && { ...failedExchange(expected, exchange, `the receiver asked for ${call.path}`), evidence }
}

/** Returns an empty list if the receiver has no URL for webhooks. */
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

/** Checks that a valid notification has its effect. The effect shows that the receiver has also processed earlier notifications. */
export async function requireUsual(context: CheckContext): Promise<Finding | undefined> {
  const usual = await createSample(context)
  if (!usual) return NO_WEBHOOK_URL
  const { message, target } = usual
  const sent = await context.send(named(message, 'signed as usual'), { role: 'control' })
  return (
    requireAccepted(sent) ?? requireEffect(context, target, { because: 'signed as usual', exchanges: [sent] })
  )
}

/** A correct signature in an unusual form. */
export interface Variant {
  /** The description that follows the label of the message, such as "signed 30 seconds ago". */
  readonly name: string
  readonly signature?: MakeSignature
  /** Rewrites the JSON text of the body without changing its value. */
  readonly spell?: (body: string) => string
}

export function checkVariants(variants: readonly Variant[]): ReceiverCheck['run'] {
  return async (context) => {
    const samples = await createSamples(context, variants)
    if (samples.length === 0) return NO_WEBHOOK_URL
    const usual = await requireUsual(context)
    if (usual) return usual
    const sent = await Promise.all(
      samples.map(({ message, of: { name, signature, spell = (body) => body } }) => {
        const variant = { ...named(message, name), body: spell(message.body) }
        return context.send(variant, signature === undefined ? {} : { signature })
      }),
    )
    const refused = expectAccepted(...sent)
    if (refused) return refused
    const findings = samples.map((sample, index) => {
      const because = `notified ${sample.of.name}`
      return expectEffect(context, sample, { exchange: sent[index], effects: 1, because })
    })
    return combineFindings(await Promise.all(findings), unobservedEffectsOn(context, samples[0]?.target))
  }
}
