import type { NotifiedType } from '../../../spec/notifications.ts'
import { SIGNATURE_HEADER } from '../../../spec/signature-header.ts'
import { signatureHeader, signatureValue } from '../../../spec/signature.ts'
import type { CheckContext, MakeSignature, ReceiverCheck } from '../../toolkit/check-context.ts'
import { notObservable, type Finding } from '../../finding.ts'
import { expectAccepted, expectEffects, requireAccepted } from '../../toolkit/expectations.ts'
import { createSample, expectedEffect, type Sample } from '../../toolkit/expected-effect.ts'
import { firstFinding, withUnobserved } from '../../finding.ts'
import { unobservedEffectsOn } from '../../toolkit/unobserved.ts'
import { signedWith } from '../../toolkit/signatures.ts'
import { named, noWebhookUrl, requireUsual } from './control.ts'
import { checkForgedSamples, checkForgeries, type ForgedSample, type Forgery } from './refusals.ts'

/** What all of these have in common. */
const FORGERY = {
  severity: 'must',
  lines: [288],
  readings: ['signature'],
  needs: ['signature'],
  uses: ['effects'],
  negative: true,
} as const

export const forgeryChecks: readonly ReceiverCheck[] = [
  {
    ...FORGERY,
    id: 'signature/missing',
    requirement: 'The receiver does nothing because of a webhook that is not signed.',
    meaning:
      'A signature that may be left out protects nothing: whoever learns the URL tells of payments that were never made.',
    remedy:
      'Answer 401 to a webhook without the header Webhooks-signature, before anything else is done with it.',
    run: checkMissing,
  },
  {
    ...FORGERY,
    id: 'signature/wrong',
    requirement: 'The receiver does nothing because of a webhook whose signature is only like the right one.',
    meaning:
      'A comparison that takes a part of the signature, or letters of either case, can be met by trying: then payments are made up by strangers.',
    remedy:
      'Compare the whole value with the one that you computed, in constant time, and refuse what has another length.',
    run: checkWrong,
  },
  {
    ...FORGERY,
    id: 'signature/other-secret',
    requirement:
      'The receiver does nothing because of a webhook that was signed with a secret that is not its own.',
    meaning:
      'A secret that is not set becomes an empty text, or the word "undefined", and everybody knows that: payments can be made up and signed.',
    remedy: 'Refuse to start without a secret, and verify with those alone that were set.',
    run: (context) => checkForgeries(context, OTHER_SECRETS.map(withSecret)),
  },
  {
    ...FORGERY,
    id: 'signature/other-body',
    requirement: 'The receiver does nothing because of a webhook with the signature of another body.',
    meaning:
      'One true notification, of a payment of one cent, is enough: its signature opens the door to any other body.',
    remedy: 'Compute the signature of the bytes that came, each time.',
    run: checkOtherBody,
  },
  {
    ...FORGERY,
    id: 'signature/unreadable',
    requirement: 'The receiver does nothing because of a webhook whose signature cannot be read.',
    meaning:
      'Where an error in the verification ends in "let it pass", a header of a few odd letters is as good as a signature.',
    remedy: 'Refuse whenever the verification has not said yes: also when it fails.',
    run: (context) => checkForgeries(context, UNREADABLE),
  },
  {
    ...FORGERY,
    id: 'signature/true-one-after-forged',
    requirement: 'The receiver takes a notification although a forged copy of it came before.',
    meaning:
      'Somebody who knows what will be notified can keep it out: the copy is refused, but remembered, and the true notification passes for a repetition. The payment is never acted on.',
    remedy: 'Verify first; remember only what is verified.',
    run: checkTrueOne,
  },
]

/** At each of its URLs: a route is easily left without what guards the others. */
async function checkMissing(context: CheckContext): Promise<Finding> {
  const { receiver } = context
  const all = receiver.types()
  const own = all.filter((type) => !isShared(context, type))
  const shared = all.length === own.length ? undefined : SHARED
  if (shared !== undefined && own.length === 0) return notObservable(shared)
  const samples: ForgedSample[] = []
  for (const type of own) {
    const sample = (await expectedEffect(context, { type })) ?? (await createPlainSample(context, type))
    samples.push({ ...sample, of: { name: 'unsigned', signature: null } })
  }
  // What moves money comes first.
  const ordered = samples.toSorted((one, other) => Number(!one.target) - Number(!other.target))
  return withUnobserved(await checkForgedSamples(context, ordered), shared)
}

const SHARED = 'callbacks, which are never signed, come to the same URL: give webhooks one of their own'

function isShared({ receiver }: Pick<CheckContext, 'receiver'>, type: NotifiedType): boolean {
  if (!receiver.types('callbacks').includes(type)) return false
  return receiver.url(type, 'callbacks') === receiver.url(type)
}

async function createPlainSample(context: CheckContext, type: NotifiedType): Promise<Sample> {
  const message = context.messageFor(await context.service.create(type))
  return { target: undefined, before: [], message }
}

/** The header with these values, made now. */
const withValues =
  (makeValues: (right: string) => readonly string[]): MakeSignature =>
  ({ secret, now, body }) =>
    [`t=${now}`, ...makeValues(signatureValue(secret, now, body)).map((value) => `v=${value}`)].join(',')

function checkWrong(context: CheckContext): Promise<Finding> {
  const chance = () =>
    Buffer.from(Array.from({ length: 32 }, () => context.random() * 256)).toString('base64url')
  const [one, two, three] = [chance(), chance(), chance()]
  return checkForgeries(context, [
    { name: 'with a signature of chance', signature: withValues(() => [one]) },
    { name: 'with two signatures of chance', signature: withValues(() => [two, three]) },
    {
      name: 'with half of its signature',
      signature: withValues((right) => [right.slice(0, right.length / 2)]),
    },
    { name: 'with an empty signature', signature: withValues(() => ['']) },
    { name: 'with the time of its signature alone', signature: withValues(() => []) },
    { name: 'with its signature in small letters', signature: withValues((right) => [right.toLowerCase()]) },
  ])
}

/** Besides one that nobody has: what a secret becomes that is not set. */
const OTHER_SECRETS = [
  { name: 'another secret', secret: 'a-secret-that-nobody-has-been-told' },
  { name: 'an empty secret', secret: '' },
  { name: 'the secret "undefined"', secret: 'undefined' },
  { name: 'the secret "null"', secret: 'null' },
] as const

function withSecret({ name, secret }: (typeof OTHER_SECRETS)[number]): Forgery {
  return {
    name: `signed with ${name}`,
    signature: signedWith(() => [secret]),
  }
}

async function checkOtherBody(context: CheckContext): Promise<Finding> {
  const earlier = await createSample(context)
  if (!earlier) return noWebhookUrl()
  const taken = await context.send(named(earlier.message, 'signed as usual'), { role: 'control' })
  const header = taken.request.headers.find(([name]) => name.toLowerCase() === SIGNATURE_HEADER.toLowerCase())
  return (
    requireAccepted(taken) ??
    checkForgeries(context, [
      {
        name: 'with the signature of another body',
        signature: ({ secret, now }) => signatureHeader([secret], now, earlier.message.body),
      },
      { name: 'with the signature of one that was accepted', signature: () => header?.[1] ?? '' },
    ])
  )
}

/** None of them says when it was made. */
const UNREADABLE: readonly Forgery[] = ['', 'x', 'v=', 't=,v=', 't=now,v=x', '=,=,=', ',,,', 'undefined'].map(
  (header) => ({ name: `with the signature "${header}"`, signature: () => header }),
)

async function checkTrueOne(context: CheckContext): Promise<Finding> {
  const sample = await createSample(context)
  if (!sample) return noWebhookUrl()
  const { message, target } = sample
  await context.send(named(message, 'unsigned'), { signature: null })
  const because = 'rightly signed, after an unsigned copy'
  const finding = await firstFinding(
    () => requireUsual(context),
    async () => expectAccepted(await context.sendUntilAccepted(named(message, because))),
    () => target && expectEffects(context, target, { effects: 1, because }),
  )
  return withUnobserved(finding, unobservedEffectsOn(context, target))
}
