import {
  checkForgedSamples,
  checkForgeries,
  NO_WEBHOOK_URL,
  requireUsual,
  type ForgedSample,
  type Forgery,
} from './refusals.ts'
import { notObservable, withUnobserved, type Finding } from '../../finding.ts'
import type { CheckContext, MakeSignature, ReceiverCheck } from '../../toolkit/check-context.ts'
import { expectAccepted, expectEffects, requireAccepted } from '../../toolkit/expectations.ts'
import { createSample, expectedEffect } from '../../toolkit/expected-effect.ts'
import { named, signedAt, signedWith } from '../../toolkit/messages.ts'
import { unobservedEffectsOn } from '../../toolkit/unobserved.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import { SIGNATURE_HEADER } from '../../../spec/signature-header.ts'
import { signatureHeader, signatureValue } from '../../../spec/signature.ts'

const FORGERY = {
  severity: 'must',
  lines: [288],
  readings: ['signature'],
  needs: ['signature'],
  uses: ['effects'],
  negative: true,
} as const

const HOUR_S = 3_600

export const forgeryChecks: readonly ReceiverCheck[] = [
  {
    ...FORGERY,
    id: 'signature/missing',
    requirement: 'The receiver does not act on an unsigned webhook.',
    meaning:
      'An optional signature protects nothing. Anyone who learns the URL can report payments that never happened.',
    remedy: 'Answer 401 to a webhook without the header Webhooks-signature, before you do anything else.',
    run: checkMissing,
  },
  {
    ...FORGERY,
    id: 'signature/wrong',
    requirement:
      'The receiver does not act on a webhook whose signature differs slightly from the correct signature.',
    meaning:
      'If you compare only a part of the signature, or ignore its case, strangers can guess a signature that passes. Anyone with such a signature can invent payments.',
    remedy:
      'Compare the complete signature with your computed signature in constant time. Reject a signature that does not have the expected length.',
    run: checkWrong,
  },
  {
    ...FORGERY,
    id: 'signature/other-secret',
    requirement: 'The receiver does not act on a webhook that is signed with another secret.',
    meaning:
      'If no secret is set, the receiver may use an empty text or the word "undefined" as the secret. An empty secret and "undefined" are easy to guess, so anyone can sign invented payments.',
    remedy: 'Do not start the receiver without a secret, and verify only with the secrets that are set.',
    run: (context) =>
      checkForgeries(
        context,
        OTHER_SECRETS.map(([name, secret]) => ({
          name: `signed with ${name}`,
          signature: signedWith(() => [secret]),
        })),
      ),
  },
  {
    ...FORGERY,
    id: 'signature/other-body',
    requirement: 'The receiver does not act on a webhook with the signature of another body.',
    meaning:
      'A forger needs only one genuine notification, for example about a one-cent payment. The signature of one genuine notification then makes any other body look valid.',
    remedy: 'Compute the signature over the received bytes of each request.',
    run: checkOtherBody,
  },
  {
    ...FORGERY,
    id: 'signature/unreadable',
    requirement: 'The receiver does not act on a webhook with an unreadable signature.',
    meaning:
      'If an error in the verification lets a request pass, a header with random letters passes like a valid signature.',
    remedy:
      'Reject every request unless its verification has succeeded. Also reject the request if the verification throws an error.',
    run: (context) => checkForgeries(context, UNREADABLE),
  },
  {
    ...FORGERY,
    id: 'signature/true-one-after-forged',
    requirement:
      'The receiver accepts a notification even if a forged copy of the notification arrived first.',
    meaning:
      'A stranger who can predict the next notification can block it. The forged copy is rejected but remembered, so the genuine notification looks like a duplicate. The platform never acts on the payment.',
    remedy: 'Verify first, and remember only verified notifications.',
    run: checkTrueOne,
  },
  {
    ...FORGERY,
    id: 'signature/too-old',
    severity: 'should',
    requirement: 'The receiver does not act on a webhook that was signed an hour ago.',
    readings: ['signature', 'delivery-deadline'],
    meaning:
      'Each retry has a new signature. A request with an old signature is a recorded request that someone replays.',
    remedy: 'Reject a webhook if the t of its signature is more than a few minutes in the past.',
    run: (context) => checkForgeries(context, [{ name: 'signed an hour ago', signature: signedAt(-HOUR_S) }]),
  },
  {
    ...FORGERY,
    id: 'signature/too-far-ahead',
    severity: 'should',
    requirement: 'The receiver does not act on a webhook that was signed an hour ahead of its clock.',
    meaning:
      'A signature that a wrong clock dates tomorrow can be replayed until tomorrow. Until tomorrow, the age check does not reject the signature.',
    remedy: 'Reject a webhook if the t of its signature differs from your clock by more than a few minutes.',
    run: (context) =>
      checkForgeries(context, [{ name: 'signed an hour ahead', signature: signedAt(HOUR_S) }]),
  },
]

/** Sends an unsigned notification to each URL, because the route of one URL may not verify signatures. */
async function checkMissing(context: CheckContext): Promise<Finding> {
  const all = context.receiver.types()
  const own = all.filter((type) => !isShared(context, type))
  const shared = all.length === own.length ? undefined : SHARED
  if (shared !== undefined && own.length === 0) return notObservable(shared)
  const samples = await Array.fromAsync(own, async (type): Promise<ForgedSample> => {
    const sample = (await expectedEffect(context, { type })) ?? {
      target: undefined,
      before: [],
      message: await context.service.create(type),
    }
    return { ...sample, of: { name: 'unsigned', signature: null } }
  })
  // Samples that can cause effects come first.
  const ordered = samples.toSorted((one, other) => Number(!one.target) - Number(!other.target))
  return withUnobserved(await checkForgedSamples(context, ordered), shared)
}

const SHARED = 'unsigned callbacks come to the same URL. Give webhooks a separate URL'

function isShared({ receiver }: Pick<CheckContext, 'receiver'>, type: NotifiedType): boolean {
  if (!receiver.types('callbacks').includes(type)) return false
  return receiver.url(type, 'callbacks') === receiver.url(type)
}

const withValues =
  (makeValues: (right: string) => readonly string[]): MakeSignature =>
  ({ secret, now, body }) =>
    [`t=${now}`, ...makeValues(signatureValue(secret, now, body)).map((value) => `v=${value}`)].join(',')

function checkWrong(context: CheckContext): Promise<Finding> {
  const chance = () =>
    Buffer.from(Array.from({ length: 32 }, () => context.random() * 256)).toString('base64url')
  const [one, two, three] = [chance(), chance(), chance()]
  return checkForgeries(context, [
    { name: 'with a random signature', signature: withValues(() => [one]) },
    { name: 'with two random signatures', signature: withValues(() => [two, three]) },
    {
      name: 'with half of its signature',
      signature: withValues((right) => [right.slice(0, right.length / 2)]),
    },
    { name: 'with an empty signature', signature: withValues(() => ['']) },
    { name: 'with only the time of its signature', signature: withValues(() => []) },
    { name: 'with its signature in lower case', signature: withValues((right) => [right.toLowerCase()]) },
  ])
}

/** Wrong secrets, such as typical fallback values for an unset environment variable. */
const OTHER_SECRETS = [
  ['another secret', 'a-secret-that-the-receiver-does-not-know'],
  ['an empty secret', ''],
  ['the secret "undefined"', 'undefined'],
  ['the secret "null"', 'null'],
] as const

async function checkOtherBody(context: CheckContext): Promise<Finding> {
  const earlier = await createSample(context)
  if (!earlier) return NO_WEBHOOK_URL
  const taken = await context.send(named(earlier.message, 'signed as usual'), { role: 'control' })
  const header = taken.request.headers.find(([name]) => name.toLowerCase() === SIGNATURE_HEADER.toLowerCase())
  return (
    requireAccepted(taken) ??
    checkForgeries(context, [
      {
        name: 'with the signature of another body',
        signature: ({ secret, now }) => signatureHeader([secret], now, earlier.message.body),
      },
      { name: 'with the signature of an accepted webhook', signature: () => header?.[1] ?? '' },
    ])
  )
}

/** Signature headers without a readable timestamp. */
const UNREADABLE: readonly Forgery[] = ['', 'x', 'v=', 't=,v=', 't=now,v=x', '=,=,=', ',,,', 'undefined'].map(
  (header) => ({ name: `with the signature "${header}"`, signature: () => header }),
)

async function checkTrueOne(context: CheckContext): Promise<Finding> {
  const sample = await createSample(context)
  if (!sample) return NO_WEBHOOK_URL
  const { message, target } = sample
  await context.send(named(message, 'unsigned'), { signature: null })
  const because = 'correctly signed, after an unsigned copy'
  const finding =
    (await requireUsual(context)) ??
    expectAccepted(await context.sendUntilAccepted(named(message, because))) ??
    (await expectEffects(context, target, { effects: 1, because }))
  return withUnobserved(finding, unobservedEffectsOn(context, target))
}
