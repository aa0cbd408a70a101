import type { IncomingRequest } from '../../../contracts/reference-receiver/starter/receiver.mjs'
import { findObject } from '../../../contracts/reference-receiver/starter/service.mjs'
import { setTimeout as pause } from 'node:timers/promises'
import type { NotifiedType } from '../../../spec/types.ts'
import { answeringWith, parseBody, type Defect } from './defect.ts'

/** Returns true for a notification at the URL of `type`, and false for a test POST. */
const isFor =
  (type: NotifiedType) =>
  (request: IncomingRequest): boolean =>
    request.method === 'POST' &&
    request.path.split('/')[2] === type &&
    findObject(parseBody(request), type) !== undefined

/** The delay of a late response in milliseconds. A sender with a short timeout gives up before the response. */
const LATE_MS = 3_500

export const httpDefects: readonly Defect[] = [
  {
    name: 'refuses-what-it-has-no-use-for',
    about: 'It answers 422 to notifications of companies, which it does not act on.',
    check: 'http/accepts-golden-bodies',
    alsoFails: { trust: 'asks-back' },
    parts: () => answeringWith(422, isFor('companies')),
  },
  {
    name: 'redirects',
    about: 'It redirects notifications of accounts to another URL.',
    check: 'http/no-redirect',
    alsoFails: { http: 'accepts-golden-bodies', body: 'odd-ids', trust: 'asks-back' },
    parts: () => ({
      endpoint: (endpoint) => (request) =>
        isFor('accounts')(request)
          ? { status: 308, headers: { location: `${request.path}/` } }
          : endpoint(request),
    }),
  },
  {
    name: 'answers-late',
    about: 'It answers notifications of companies late.',
    check: 'http/answers-in-time',
    parts: () => ({
      endpoint: (endpoint) => async (request) => {
        if (isFor('companies')(request)) await pause(LATE_MS)
        return endpoint(request)
      },
    }),
  },
  {
    name: 'wants-the-bare-content-type',
    about: 'It rejects a content type with a charset.',
    check: 'http/content-type-with-charset',
    parts: () => answeringWith(415, ({ headers }) => /charset/i.test(headers['content-type'] ?? '')),
  },
  {
    name: 'wants-a-length',
    about: 'It answers 411 to a body without a Content-Length.',
    check: 'http/chunked-body',
    parts: () => answeringWith(411, hasNoLength),
  },
  {
    name: 'reads-as-long-as-it-is-told',
    about: 'It treats a body without a Content-Length as empty, and answers 204.',
    check: 'http/chunked-body',
    parts: () => answeringWith(204, hasNoLength),
  },
  {
    name: 'takes-any-method',
    about: 'It answers every method with success.',
    check: 'http/other-methods',
    parts: () => answeringWith(200, ({ method }) => method !== 'POST'),
  },
  {
    name: 'wants-a-browser',
    about: 'Its CSRF protection rejects requests without an origin.',
    check: 'http/no-browser-needed',
    alsoFails: {
      http: 'accepts-golden-bodies',
      idempotency: 'both-generations next-state-soon-after same-delivery-at-once same-payer-same-amount',
      order:
        'any-sequence change-after-final documented-order failure-branches final-then-earlier interleaved-payments late-retry-of-early-state only-the-final-state twin-notifications',
      recovery: 'old-timestamps',
      registration: 'accepts-test-post',
      trust: 'asks-back injection-text prototype-keys virtual-account-status',
    },
    parts: () => answeringWith(403, ({ headers }) => headers.origin === undefined),
  },
  {
    name: 'sends-it-all-back',
    about: 'It answers with the received body.',
    check: 'http/small-answers',
    parts: () => ({
      endpoint: (endpoint) => async (request) => {
        const answer = await endpoint(request)
        const isTaken = answer.status === 204 && request.body !== undefined
        return isTaken ? { status: 200, body: new TextDecoder().decode(request.body) } : answer
      },
    }),
  },
]

function hasNoLength({ method, headers }: IncomingRequest): boolean {
  return method === 'POST' && headers['content-length'] === undefined
}
