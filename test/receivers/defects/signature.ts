import {
  decodeText,
  isRecent,
  isSigned,
  parseSignature,
  signatureOf,
} from '../../../contracts/reference-receiver/starter/receiver.mjs'
import { ACTING_AGAIN, actingOnEach, isEarly } from './idempotency.ts'
import { answeringWith, parseJsonOr, textOf, withPolicy, type Defect } from './defect.ts'
import { comparing, headerOf, reading, secondsAgo, timing, unverifiedAt } from './verification.ts'

const VERIFICATION: readonly Omit<Defect, 'isSigned'>[] = [
  {
    name: 'knows-deliveries-by-the-signature',
    about: 'It recognizes a duplicate by the signature, which differs for each retry.',
    check: 'idempotency/same-delivery-again',
    alsoFails: ACTING_AGAIN,
    parts() {
      const known = new Set<string>()
      return {
        store: actingOnEach((entry) => (isEarly(entry) ? undefined : String(entry.number))),
        endpoint: (endpoint) => async (request) => {
          const signature = headerOf(request) ?? ''
          if (known.has(signature)) return { status: 204 }
          const answer = await endpoint(request)
          if (signature !== '' && answer.status === 204) known.add(signature)
          return answer
        },
      }
    },
  },
  {
    name: 'takes-what-is-unsigned',
    about: 'It accepts webhooks without a signature.',
    check: 'signature/missing',
    parts: () =>
      withPolicy({
        isSigned: (request, secrets) => request.header === undefined || isSigned(request, secrets),
      }),
  },
  {
    name: 'verifies-all-but-payouts',
    about: 'It does not verify signatures at its URL for disbursements.',
    check: 'signature/missing',
    parts: () => ({ endpoint: unverifiedAt('disbursements') }),
  },
  {
    name: 'verifies-where-money-is',
    about: 'It does not verify signatures at its URL for users.',
    check: 'signature/missing',
    parts: () => ({ endpoint: unverifiedAt('users') }),
  },
  {
    name: 'compares-a-prefix',
    about: 'It accepts a prefix of the signature.',
    check: 'signature/wrong',
    parts: () => comparing((value, expected) => expected.startsWith(value)),
  },
  {
    name: 'compares-without-case',
    about: 'It ignores the case of the signature.',
    check: 'signature/wrong',
    parts: () => comparing((value, expected) => value.toLowerCase() === expected.toLowerCase()),
  },
  {
    name: 'takes-what-it-cannot-compare',
    about: 'Its comparison throws if lengths differ, and it accepts the webhook after an error.',
    check: 'signature/wrong',
    parts: () => comparing((value, expected) => value.length !== expected.length || value === expected),
  },
  {
    name: 'has-an-empty-secret-too',
    about: 'It also accepts signatures with an empty secret.',
    check: 'signature/other-secret',
    parts: () => withPolicy({ isSigned: (request, secrets) => isSigned(request, [...secrets, '']) }),
  },
  {
    name: 'remembers-signatures',
    about: 'It accepts any body with a signature that it has verified before.',
    check: 'signature/other-body',
    parts() {
      const verified = new Set<string>()
      return withPolicy({
        isSigned(request, secrets) {
          const { header = '' } = request
          if (verified.has(header)) return true
          return isSigned(request, secrets) && Boolean(verified.add(header))
        },
      })
    },
  },
  {
    name: 'takes-what-it-cannot-read',
    about: 'It accepts a signature header without a timestamp.',
    check: 'signature/unreadable',
    parts: () =>
      withPolicy({
        isSigned: (request, secrets) =>
          (request.header !== undefined && !parseSignature(request.header)) || isSigned(request, secrets),
      }),
  },
  {
    name: 'remembers-before-it-verifies',
    about:
      'It records a notification before it verifies the signature, and treats the valid one as a duplicate.',
    check: 'signature/true-one-after-forged',
    parts() {
      const refused = new Set<string>()
      return {
        endpoint: (endpoint) => async (request) => {
          const text = `${request.path} ${textOf(request)}`
          if (refused.has(text)) return { status: 204 }
          const answer = await endpoint(request)
          if (answer.status === 401) refused.add(text)
          return answer
        },
      }
    },
  },
  {
    name: 'never-looks-at-the-time',
    about: 'It accepts signatures of any age.',
    check: 'signature/too-old',
    alsoFails: { signature: 'too-far-ahead' },
    parts: () => timing(() => true),
  },
  {
    name: 'looks-only-ahead',
    about: 'It rejects signatures from the future, and accepts old ones.',
    check: 'signature/too-old',
    parts: () => timing((signature, now) => secondsAgo(signature, now) > 0 || isRecent(signature, now)),
  },
  {
    name: 'looks-only-back',
    about: 'It rejects old signatures, and accepts signatures from the future.',
    check: 'signature/too-far-ahead',
    parts: () => timing((signature, now) => secondsAgo(signature, now) < 0 || isRecent(signature, now)),
  },
  {
    name: 'knows-no-other-clock',
    about: 'It rejects a signature that is a second ahead of its clock.',
    check: 'signature/clocks-apart',
    parts: () => timing((signature, now) => secondsAgo(signature, now) >= 0 && isRecent(signature, now)),
  },
  {
    name: 'compares-the-first-value',
    about: 'It compares only the first of several signatures.',
    check: 'signature/right-one-second',
    parts: () => reading((signature) => ({ ...signature, values: signature.values.slice(0, 1) })),
  },
  {
    name: 'compares-the-last-value',
    about: 'It compares only the last of several signatures.',
    check: 'signature/right-one-first',
    parts: () => reading((signature) => ({ ...signature, values: signature.values.slice(-1) })),
  },
  {
    name: 'knows-every-part',
    about: 'It rejects a signature header with an unknown part.',
    check: 'signature/unknown-parts',
    parts: () =>
      withPolicy({
        isSigned: (request, secrets) =>
          /^t=[^,]*(,v=[^,]*)*$/.test(request.header ?? '') && isSigned(request, secrets),
      }),
  },
  {
    name: 'verifies-what-it-parsed',
    about: 'It verifies the serialized form of the parsed body.',
    check: 'signature/other-bytes',
    alsoFails: { body: 'other-spelling' },
    parts: () =>
      withPolicy({
        isSigned: ({ body, ...request }, secrets) =>
          isSigned({ ...request, body: Buffer.from(writeAgain(body)) }, secrets),
      }),
  },
  {
    name: 'breaks-on-other-lengths',
    about: 'It fails when the signature has another length than expected.',
    check: 'signature/odd-headers',
    parts: () =>
      answeringWith(
        500,
        (request) =>
          parseSignature(headerOf(request))?.values.some(({ length }) => length !== LENGTH) ?? false,
      ),
  },
  {
    name: 'wants-callbacks-signed',
    about: 'It rejects callbacks, because they are not signed.',
    check: 'signature/unsigned-callbacks',
    alsoFails: {
      idempotency: 'both-generations',
      registration: 'accepts-test-post',
      trust: 'unlisted-source',
    },
    parts: () =>
      answeringWith(
        401,
        (request) => request.path.split('/')[1] === 'callbacks' && headerOf(request) === undefined,
      ),
  },
]

/** Defects in signature verification. These defects are visible only if webhooks are signed. */
export const signatureDefects: readonly Defect[] = VERIFICATION.map((defect) => ({
  ...defect,
  isSigned: true,
}))

const LENGTH = signatureOf('', '', '').length

function writeAgain(body: Uint8Array): string {
  const text = decodeText(body) ?? ''
  const parsed = parseJsonOr(undefined, text)
  return parsed === undefined ? text : JSON.stringify(parsed)
}
