import {
  combineFindings,
  controlFailed,
  failed,
  firstFinding,
  notObservable,
  unreachable,
  type Exchange,
  type Finding,
} from '../../finding.ts'
import type { CheckContext, MakeSignature, Message } from '../../toolkit/check-context.ts'
import {
  describeExchange,
  expectAccepted,
  expectEffects,
  isAccepted,
  isReached,
  requireAccepted,
} from '../../toolkit/expectations.ts'
import { createSample, type Sample } from '../../toolkit/expected-effect.ts'
import { unobservedEffectsOn } from '../../toolkit/unobserved.ts'

/** A true notification without a valid signature. */
export interface Forgery {
  /** Follows the label of the message, such as "unsigned". */
  readonly name: string
  readonly signature: MakeSignature | null
}

export type ForgedSample = Sample & { readonly of: Forgery }

interface Sent {
  readonly sample: ForgedSample
  readonly exchange: Exchange
}

/** Passes if none of these notifications has an effect. */
export async function checkForgeries(context: CheckContext, forgeries: readonly Forgery[]): Promise<Finding> {
  return checkForgedSamples(context, await createSamples(context, forgeries))
}

/**
 * Passes if none of these has an effect. Without observable effects, the answer decides. With them, a
 * receiver may verify after its answer.
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

/** A receiver that verifies after its answer must not ask about objects without effects. */
async function expectNoQuestion(
  { calls }: CheckContext,
  { sample: { message }, exchange }: Sent,
): Promise<Finding | undefined> {
  if (!isAccepted(exchange)) return undefined
  if (!calls.observable)
    return notObservable(`its reaction to ${message.type}, because it answers before it verifies`)
  const [call] = await calls.settleAtMost(message, 0)
  const evidence = { exchanges: [exchange], objects: [{ type: message.type, id: message.id }] }
  return (
    call &&
    failed(
      `no call for an object that was notified only as "${exchange.label}"`,
      `it asked for ${call.path}`,
      evidence,
    )
  )
}

/** Returns a payment for each, or another object. Undefined without a webhook URL. */
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

/** Callbacks are never signed. Reading: signature */
export function noWebhookUrl() {
  return notObservable('the receiver has no URL for webhooks, and only webhooks are signed')
}

/**
 * Returns an inconclusive finding if the receiver rejects a correctly signed notification, or does not act on it. After its effect, the
 * receiver has processed all earlier notifications, too.
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

export function named(message: Message, name: string): Message {
  return { ...message, label: `${message.label}, ${name}` }
}

/** A correct signature in an unusual form. */
export interface Variant {
  /** Follows the label of the message, such as "signed 30 seconds ago". */
  readonly name: string
  /** Defaults to the signature of the service. */
  readonly signature?: MakeSignature
  /** Writes the same JSON with other bytes. */
  readonly spell?: (body: string) => string
}

/** Passes if each is accepted and acted on once. Only meaningful if the receiver accepts usual signatures. */
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
