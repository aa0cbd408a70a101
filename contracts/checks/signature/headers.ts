import { signatureHeader, signatureValue } from '../../../spec/signature.ts'
import type { CheckContext, MakeSignature, ReceiverCheck } from '../../toolkit/check-context.ts'
import { PASSED, failed, unreachable, type Finding } from '../../finding.ts'
import { describeExchange, isAccepted, isReached, isRefused } from '../../toolkit/expectations.ts'
import { signedWith } from '../../toolkit/signatures.ts'
import { createSamples, named, noWebhookUrl, requireUsual } from './control.ts'
import { checkTaken, type Variant } from './taken.ts'

/** One that no receiver has, in the place of a secret that is about to come, or has gone. */
const OTHER = 'a-secret-that-no-receiver-has-been-told'

/** What all of these have in common. */
const HEADER = {
  lines: [288],
  readings: ['signature'],
  needs: ['signature'],
} as const

export const headerChecks: readonly ReceiverCheck[] = [
  {
    ...HEADER,
    id: 'signature/right-one-second',
    severity: 'must',
    requirement:
      'The receiver takes a webhook with two signatures of which the second is made with its secret.',
    uses: ['effects'],
    meaning:
      'For a day after the secret was replaced, the service signs with the new one first. A receiver that still has the old one then refuses every notification.',
    remedy: 'Compare each v of the header, and take the webhook if one of them is right.',
    run: (context) =>
      checkTaken(context, [
        { name: 'signed with a newer secret before its own', signature: signedWith((own) => [OTHER, own]) },
      ]),
  },
  {
    ...HEADER,
    id: 'signature/right-one-first',
    severity: 'must',
    requirement:
      'The receiver takes a webhook with two signatures of which the first is made with its secret.',
    uses: ['effects'],
    meaning:
      'For a day after the secret was replaced, the service signs with the old one too. A receiver that keeps the last v of the header refuses every notification until then.',
    remedy: 'Read the header as a list: one key may come more than once. Take the webhook if one v is right.',
    run: (context) =>
      checkTaken(context, [
        { name: 'signed with an older secret after its own', signature: signedWith((own) => [own, OTHER]) },
      ]),
  },
  {
    ...HEADER,
    id: 'signature/unknown-parts',
    severity: 'should',
    requirement: 'The receiver takes a webhook whose signature has parts that nobody knows yet.',
    uses: ['effects'],
    meaning:
      'The day on which the service adds another algorithm to the header, every notification is refused, though the signature that you know is still there.',
    remedy: 'Split the header at its commas, take t and v, and leave the rest alone.',
    run: (context) => checkTaken(context, UNKNOWN_PARTS),
  },
  {
    ...HEADER,
    id: 'signature/other-bytes',
    severity: 'must',
    requirement: 'The receiver verifies the bytes that came, however the JSON in them is written.',
    uses: ['effects'],
    meaning:
      'JSON that is parsed and written again is another text. The service need only write a space or an escape that yours does not, and every notification is refused.',
    remedy:
      'Read the body as bytes and verify those; parse it afterwards. A framework that parses first has a setting for it.',
    run: (context) => checkTaken(context, SPELLINGS),
  },
  {
    ...HEADER,
    id: 'signature/odd-headers',
    severity: 'should',
    requirement: 'The receiver answers 2xx or 4xx to a webhook whatever its signature looks like.',
    meaning:
      'A verification that breaks where it should refuse can end the whole process: one request of a stranger, and notifications are lost until somebody starts it again.',
    remedy:
      'Compare lengths before you compare in constant time, and count what cannot be read for a signature that is wrong.',
    run: checkOddHeaders,
  },
]

/** What the service would say, with something around it. */
const around =
  (change: (usual: string) => string): MakeSignature =>
  ({ secret, now, body }) =>
    change(signatureHeader([secret], now, body))

const UNKNOWN_PARTS: readonly Variant[] = [
  { name: 'with a part after its signature', signature: around((usual) => `${usual},alg=hmac-sha256`) },
  { name: 'with a part before its signature', signature: around((usual) => `id=7,${usual}`) },
]

/** Each as another library writes the same value. */
const SPELLINGS: readonly Variant[] = [
  { name: 'with line breaks in its body', spell: (body) => `${JSON.stringify(JSON.parse(body), null, 2)}\n` },
  {
    name: 'with escapes in its body',
    spell: (body) => body.replaceAll('/', '\\/').replaceAll('"id"', '"\\u0069d"'),
  },
]

/** What is not to be taken, and what may be: the right signature in another encoding. */
const ODD_HEADERS: readonly Variant[] = [
  { name: 'an empty signature', signature: () => '' },
  { name: 'no key in its signature', signature: () => 'signed' },
  {
    name: 'a time that is no number',
    signature: ({ secret, now, body }) => `t=now,v=${signatureValue(secret, now, body)}`,
  },
  { name: 'a signature of one letter', signature: ({ now }) => `t=${now},v=x` },
  { name: 'a signature of 4000 letters', signature: ({ now }) => `t=${now},v=${'x'.repeat(4_000)}` },
  { name: 'a thousand commas for a signature', signature: () => ','.repeat(1_000) },
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
  if (samples.length === 0) return noWebhookUrl()
  const usual = await requireUsual(context)
  if (usual) return usual
  for (const { message, of } of samples) {
    const sent = await context.send(named(message, `with ${of.name}`), of)
    if (!isReached(sent)) return unreachable(describeExchange(sent), sent)
    if (!isAccepted(sent) && !isRefused(sent))
      return failed('an answer from 200 to 299 or from 400 to 499', describeExchange(sent), {
        exchanges: [sent],
      })
  }
  return PASSED
}
