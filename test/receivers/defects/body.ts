import { policy as carefulPolicy } from '../../../contracts/reference-receiver/starter/receiver.mjs'
import {
  isNotifiedType,
  isRecord,
  objectPath,
  parseKnownObject,
} from '../../../contracts/reference-receiver/starter/service.mjs'
import type { Entry } from '../../../contracts/reference-receiver/starter/store.mjs'
import type { NotifiedType } from '../../../spec/types.ts'
import { parseNotification } from '../../../spec/validate.ts'
import {
  answeringWith,
  breakingOn,
  changingKnown,
  interpreting,
  parseBody,
  parseJsonOr,
  readingAs,
  textOf,
  withPolicy,
  type Defect,
} from './defect.ts'

export const bodyDefects: readonly Defect[] = [
  {
    name: 'knows-every-field',
    about: 'It rejects a body with an unknown field.',
    check: 'body/unknown-fields',
    parts: () => interpreting((meaning, body) => (hasExtraField(body) ? { kind: 'foreign' } : meaning)),
  },
  {
    name: 'expects-a-description',
    about: 'It answers 500 to an item without a description.',
    check: 'body/nulls',
    alsoFails: { http: 'accepts-golden-bodies' },
    parts: () => breakingOn('items', ({ description }) => description === null),
  },
  {
    name: 'expects-payin-details',
    about: 'It answers 500 to a deposit whose details are null.',
    check: 'body/payin-details',
    alsoFails: { body: 'nulls' },
    parts: () => breakingOn('transactions', ({ payin_details }) => payin_details === null),
  },
  {
    name: 'answers-200-when-it-breaks',
    about: 'It answers 200 with an error page to a deposit whose details are null.',
    check: 'body/payin-details',
    alsoFails: { body: 'nulls' },
    parts: () => breakingOn('transactions', ({ payin_details }) => payin_details === null, 200),
  },
  {
    name: 'expects-plain-ids',
    about: 'It rejects ids that are neither UUIDs nor digits.',
    check: 'body/odd-ids',
    parts: () =>
      interpreting((meaning) => {
        const isPlain = meaning.kind !== 'notification' || /^([\da-f-]{36}|\d+)$/i.test(meaning.id)
        return isPlain ? meaning : { kind: 'foreign' }
      }),
  },
  {
    name: 'expects-text-for-an-id',
    about: 'It rejects the extended form of a batch transaction with an integer id.',
    check: 'body/extended-batch-transactions',
    alsoFails: {
      http: 'accepts-golden-bodies',
      idempotency: 'next-state-soon-after',
      order:
        'documented-order final-then-earlier late-retry-of-early-state only-the-final-state failure-branches no-release-before-success interleaved-payments any-sequence',
      trust: 'lying-body',
    },
    parts: () => breakingOn('batch_transactions', ({ id }) => typeof id === 'number'),
  },
  {
    name: 'expects-a-wrapper',
    about: 'It rejects the flat body of a virtual account.',
    check: 'body/flat-virtual-accounts',
    alsoFails: {
      http: 'accepts-golden-bodies',
      idempotency: 'aborted-and-retried same-delivery-at-once',
      order: 'any-sequence documented-order failure-branches interleaved-payments',
      recovery: 'old-timestamps',
      trust: 'asks-back prototype-keys unknown-object virtual-account-status',
    },
    parts: () => breakingOn('virtual_accounts', ({ name }) => name === 'virtual_accounts'),
  },
  {
    name: 'counts-to-two-billion',
    about: 'It truncates amounts to 32 bits.',
    check: 'body/amounts',
    parts: () =>
      withPolicy({
        parseKnownObject: changingKnown(({ amount, ...known }) => ({
          ...known,
          amount: amount === null ? null : Math.trunc(amount) | 0,
        })),
      }),
  },
  {
    name: 'knows-every-state',
    about: 'It answers 500 to an unknown state.',
    check: 'body/unknown-states',
    parts: () => breakingOn('batch_transactions', ({ state }) => !STATES.has(String(state))),
  },
  {
    name: 'breaks-on-broken-bodies',
    about: 'It answers 500 to a body that is not JSON.',
    check: 'body/broken-json',
    alsoFails: { body: 'other-content-types' },
    parts: () =>
      answeringWith(500, (request) => request.method === 'POST' && parseBody(request) === undefined),
  },
  {
    name: 'expects-links',
    about: 'It answers 500 to an item without links.',
    check: 'body/null-links',
    parts: () => breakingOn('items', ({ links }) => links === null),
  },
  {
    name: 'has-short-columns',
    about: 'It answers 500 to a text of more than 255 characters.',
    check: 'body/long-and-foreign-text',
    parts: () => breakingOn(undefined, (object) => Object.values(object).some(isLong)),
  },
  {
    name: 'reads-by-pattern',
    about: 'It finds the id by a pattern instead of parsing the JSON.',
    check: 'body/other-spelling',
    parts: () =>
      answeringWith(400, (request) => {
        const text = textOf(request)
        return isRecord(parseBody(request)) && text.includes('"id"') && !/"id":["\d]/.test(text)
      }),
  },
  {
    name: 'knows-every-type',
    about: 'It answers 500 to an unknown type of object.',
    check: 'body/unknown-type',
    parts: () =>
      answeringWith(500, (request) => {
        const body = parseBody(request)
        const [wrapper] = isRecord(body) ? Object.entries(body) : []
        return wrapper !== undefined && isRecord(wrapper[1]) && !isNotifiedType(wrapper[0])
      }),
  },
  {
    name: 'has-one-door-for-all',
    about: 'It accepts objects of all types on each URL, and stores them with the type of the URL.',
    check: 'body/other-type-on-url',
    parts: () =>
      withPolicy({
        interpretBody(body, route) {
          const wrapper = isRecord(body) ? Object.keys(body).find(isNotifiedType) : undefined
          return carefulPolicy.interpretBody(body, { ...route, type: wrapper ?? route.type })
        },
        objectPath: ([entry]) => objectPath(wrapperType(entry), entry.id),
        parseKnownObject(shown, [entry]) {
          const wrapper = wrapperType(entry)
          const known = parseKnownObject(shown, wrapper, entry.id)
          return known && wrapper !== entry.type ? { ...known, type: entry.type, kind: null } : known
        },
      }),
  },
  {
    name: 'takes-any-content-type',
    about: 'It accepts JSON with any content type.',
    check: 'body/other-content-types',
    parts: () =>
      readingAs((request) => ({
        ...request,
        headers: { ...request.headers, 'content-type': 'application/json' },
      })),
  },
]

const STATES = new Set([
  'batched',
  'bank_processing',
  'successful',
  'invalid_account_details',
  'failed_direct_debit',
  'bpay_pending',
])

function hasExtraField(body: unknown): boolean {
  const parsed = parseNotification(body)
  return !parsed.ok && parsed.errors.some(({ message }) => /is not part of/.test(message))
}

function wrapperType({ body, type }: Entry): NotifiedType {
  const read = parseJsonOr(undefined, body)
  return (isRecord(read) ? Object.keys(read).find(isNotifiedType) : undefined) ?? type
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > 255
}
