import { checkVariants, createSamples, NO_WEBHOOK_URL, requireUsual, type Variant } from './refusals.ts'
import { failed, notObservable, PASSED, type Finding } from '../../finding.ts'
import type { CheckContext, MakeSignature, ReceiverCheck } from '../../toolkit/check-context.ts'
import { describeExchange, expectAnswered, isAccepted, requireAccepted } from '../../toolkit/expectations.ts'
import { named, signedAt, signedNow, signedWith } from '../../toolkit/messages.ts'
import { goldenMessage, oneExamplePerType } from '../../toolkit/golden-message.ts'
import { signatureHeader, signatureValue } from '../../../spec/signature.ts'

/** A secret that the receiver does not know, such as a new secret during a rotation. */
const OTHER = 'a-secret-that-no-receiver-has-been-told'
/** A time difference in seconds that every receiver must tolerate, because clocks differ and a delivery takes time. */
const MOMENT_S = 30

const HEADER = { lines: [288], readings: ['signature'], needs: ['signature'] } as const

export const headerChecks: readonly ReceiverCheck[] = [
  {
    ...HEADER,
    id: 'signature/right-one-second',
    severity: 'must',
    requirement:
      'The receiver accepts a webhook with two signatures if only the second signature uses the secret of the receiver.',
    uses: ['effects'],
    meaning:
      'For a day after you replace the secret, the service sends two signatures, the new one first. A receiver that still has the old secret and reads only the first signature rejects every notification.',
    remedy: 'Compare each v of the header with your computed value, and accept the webhook if one v matches.',
    run: checkVariants([
      {
        name: 'with the signature of a newer secret before its own signature',
        signature: signedWith((own) => [OTHER, own]),
      },
    ]),
  },
  {
    ...HEADER,
    id: 'signature/right-one-first',
    severity: 'must',
    requirement:
      'The receiver accepts a webhook with two signatures if only the first signature uses the secret of the receiver.',
    uses: ['effects'],
    meaning:
      'For a day after you replace the secret, the service also signs with the old secret. A receiver that reads only the last v of the header gets the old signature, and rejects every notification.',
    remedy:
      'Read the header as a list in which a key may appear more than once. Accept the webhook if one v matches.',
    run: checkVariants([
      {
        name: 'with the signature of an older secret after its own signature',
        signature: signedWith((own) => [own, OTHER]),
      },
    ]),
  },
  {
    ...HEADER,
    id: 'signature/unknown-parts',
    severity: 'should',
    requirement: 'The receiver accepts a webhook whose signature has unknown parts.',
    uses: ['effects'],
    meaning:
      'If the service adds another algorithm to the header, the receiver rejects every notification despite the known signature.',
    remedy: 'Split the header at its commas, read t and v, and ignore all other parts.',
    run: checkVariants([
      {
        name: 'with an unknown part after its signature',
        signature: around((usual) => `${usual},alg=hmac-sha256`),
      },
      { name: 'with an unknown part before its signature', signature: around((usual) => `id=7,${usual}`) },
    ]),
  },
  {
    ...HEADER,
    id: 'signature/other-bytes',
    severity: 'must',
    requirement:
      'The receiver verifies the signature of the received bytes, regardless of the formatting of the JSON.',
    uses: ['effects'],
    meaning:
      'Parsing and serializing JSON can change its text. One different space or escape changes the signature, so the receiver rejects every notification.',
    remedy:
      "Read the body as bytes, verify the bytes, and parse them afterwards. If your framework parses the body first, use the framework's setting for the raw body.",
    // The same JSON value, as other JSON libraries would write it.
    run: checkVariants([
      {
        name: 'with line breaks in its body',
        spell: (body) => `${JSON.stringify(JSON.parse(body), null, 2)}\n`,
      },
      {
        name: 'with escapes in its body',
        spell: (body) => body.replaceAll('/', '\\/').replaceAll('"id"', '"\\u0069d"'),
      },
    ]),
  },
  {
    ...HEADER,
    id: 'signature/odd-headers',
    severity: 'should',
    requirement: 'The receiver answers 2xx or 4xx to a webhook with any signature header.',
    meaning:
      'An unhandled error in the verification can end the process. A stranger can then stop all notifications with one request, until someone restarts the receiver.',
    remedy:
      'Check the length before the constant-time comparison, and treat an unreadable signature as a wrong signature.',
    run: checkOddHeaders,
  },
  {
    id: 'signature/unsigned-callbacks',
    severity: 'must',
    requirement: 'The receiver accepts unsigned callbacks even if it verifies webhooks.',
    lines: [11, 288],
    readings: ['signature', 'delivery-success'],
    needs: ['signature', 'callbacks'],
    meaning:
      'Callbacks are never signed. A receiver that requires a signature rejects every callback, and cannot even register for callbacks. The platform never acts on the payments in the rejected callbacks.',
    remedy:
      'Verify signatures only at webhook URLs. Protect callback URLs with a token, and check the sender of each request.',
    run: checkCallbacks,
  },
  {
    ...HEADER,
    id: 'signature/clocks-apart',
    severity: 'should',
    requirement:
      'The receiver accepts a webhook that was signed half a minute ago, or half a minute ahead of its clock.',
    readings: ['signature', 'delivery-deadline'],
    uses: ['effects'],
    meaning:
      'Clocks differ, and a delivery takes time. Without a tolerance, the receiver rejects genuine notifications whenever its clock drifts.',
    remedy: 'Allow a clock difference of a few minutes, in both directions.',
    run: checkVariants([
      { name: 'signed half a minute ago', signature: signedAt(-MOMENT_S) },
      { name: 'signed half a minute ahead', signature: signedAt(MOMENT_S) },
    ]),
  },
]

/** Returns a function that signs as the service does, and then applies `change` to the signature header. */
function around(change: (usual: string) => string): MakeSignature {
  return ({ secret, now, body }) => change(signatureHeader([secret], now, body))
}

/** Signature headers that a receiver may reject. Some of these headers contain the correct signature in another encoding. */
const ODD_HEADERS: readonly Variant[] = [
  { name: 'an empty signature', signature: () => '' },
  { name: 'no key in its signature', signature: () => 'signed' },
  {
    name: 'a time that is not a number',
    signature: ({ secret, now, body }) => `t=now,v=${signatureValue(secret, now, body)}`,
  },
  { name: 'a signature of one letter', signature: ({ now }) => `t=${now},v=x` },
  { name: 'a signature of 4000 letters', signature: ({ now }) => `t=${now},v=${'x'.repeat(4_000)}` },
  { name: 'a thousand commas instead of a signature', signature: () => ','.repeat(1_000) },
  { name: 'a signature with padding', signature: around((usual) => `${usual}=`) },
  { name: 'a signature in plain base64', signature: encodedAs('base64') },
  { name: 'a signature in hexadecimal digits', signature: encodedAs('hex') },
]

function encodedAs(encoding: 'base64' | 'hex'): MakeSignature {
  return ({ secret, now, body }) =>
    `t=${now},v=${Buffer.from(signatureValue(secret, now, body), 'base64url').toString(encoding)}`
}

async function checkOddHeaders(context: CheckContext): Promise<Finding> {
  const samples = await createSamples(context, ODD_HEADERS)
  if (samples.length === 0) return NO_WEBHOOK_URL
  const usual = await requireUsual(context)
  if (usual) return usual
  for (const { message, of } of samples) {
    const fault = expectAnswered(await context.send(named(message, `with ${of.name}`), of))
    if (fault) return fault
  }
  return PASSED
}

/** Sends an unsigned callback of each type. The effect of a callback is not judged, because a platform may ignore callbacks. */
async function checkCallbacks(context: CheckContext): Promise<Finding> {
  const examples = oneExamplePerType(context.receiver.types('callbacks'))
  if (examples.length === 0) return notObservable('the receiver has no URL for callbacks')
  for (const example of examples) {
    const message = named(await goldenMessage(context, example), 'a callback')
    const generation = 'callbacks'
    const sent = await context.send(message, { generation })
    if (isAccepted(sent)) continue
    const signed = { generation, role: 'control', signature: signedNow } as const
    const control = await context.send(named(message, 'signed'), signed)
    const exchanges = [sent, control]
    return (
      requireAccepted(control) ?? failed('an answer from 200 to 299', describeExchange(sent), { exchanges })
    )
  }
  return PASSED
}
