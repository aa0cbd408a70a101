import { expect, expectTypeOf, test } from 'vitest'
import { EXAMPLES } from '../../spec/generated/examples.ts'
import {
  type Parsed,
  parseNotification,
  type TolerantParsed,
  type Unparsed,
} from '../../spec/parse-notification.ts'

const golden = (type: string) => EXAMPLES.find((example) => example.type === type)?.body ?? {}

/** Returns a copy with a changed value. Undefined removes the value. */
function mutated(body: object, pointer: string, value?: unknown): object {
  const copy: object = structuredClone(body)
  const keys = pointer.split('/').slice(1)
  const last = keys.pop() ?? ''
  const holder = keys.reduce<object>((node, key) => Reflect.get(node, key), copy)
  if (value === undefined) Reflect.deleteProperty(holder, last)
  else Reflect.set(holder, last, value)
  return copy
}

test.each(EXAMPLES)('the strict and the tolerant parser accept the golden body $name', ({ type, body }) => {
  expect(parseNotification(body)).toEqual({ ok: true, type, notification: body })
  expect(parseNotification(body, { tolerant: true })).toEqual({ ok: true, type, notification: body })
})

// For bodies with other missing fields, `agreement.test.ts` compares the parser with the JSON Schemas.
test.each([
  ['items', '/items/amount'],
  ['users', '/users/related/addresses'],
  ['transactions', '/transactions/marketplace/short_name'],
  ['virtual_accounts', '/updatedAt'],
])('the strict parser reports the pointer when a body of %s is without %s', (type, pointer) => {
  expect(parseNotification(mutated(golden(type), pointer))).toEqual({
    ok: false,
    errors: [{ pointer, message: 'is missing' }],
  })
})

test.each([
  ['items', '/items/new', { any: 'thing' }],
  ['items', '/items/state', 'never_seen'],
  ['users', '/users/verification_state', 'never_seen'],
  ['virtual_accounts', '/new', { any: 'thing' }],
])('only the tolerant parser accepts a body of %s whose %s is %j', (type, pointer, value) => {
  const changed = mutated(golden(type), pointer, value)

  expect([false, true].map((tolerant) => parseNotification(changed, { tolerant }).ok)).toEqual([false, true])
})

test('the tolerant parser accepts an unknown transaction kind but requires the ID', () => {
  const kind = mutated(golden('transactions'), '/transactions/type_method', 'osko')

  expect(parseNotification(kind)).toMatchObject({
    errors: [{ pointer: '/transactions', message: expect.stringContaining('is of an unknown kind: type "') }],
  })
  expect(parseNotification(kind, { tolerant: true }).ok).toBe(true)
  expect(parseNotification(mutated(kind, '/transactions/id'), { tolerant: true })).toEqual({
    ok: false,
    errors: [{ pointer: '/transactions/id', message: 'is missing' }],
  })
})

test.each([
  [null, 'must be an object'],
  ['items', 'must be an object'],
  [{}, 'has no known object type: its keys are none'],
  [{ constructor: {} }, 'has no known object type: its keys are constructor'],
])('parseNotification() reports that the body %j %s', (body, message) => {
  expect(parseNotification(body)).toEqual({ ok: false, errors: [{ pointer: '', message }] })
})

test('parseNotification() recognizes the test message with any text', () => {
  expect(parseNotification({ message: 'Grüße 🎉' })).toMatchObject({ ok: true, type: 'test' })
  expect(parseNotification({ message: 1 })).toMatchObject({ ok: false, errors: [{ pointer: '/message' }] })
})

test.each([
  ['users', '/users/dob', '1990-01-30'],
  ['users', '/users/created_at', '2026-02-31T09:00:00.000Z'],
  ['items', '/items/updated_at', '2027-02-29T09:00:00.000Z'],
  ['items', '/items/updated_at', '2026-01-01T24:00:00.000Z'],
  ['items', '/items/updated_at', '2026-01-01T23:59:60.000Z'],
])('the strict parser rejects and the tolerant parser accepts %s when %s is %s', (type, pointer, value) => {
  const body = mutated(golden(type), pointer, value)

  const strict = parseNotification(body)

  expect(strict.ok ? [] : strict.errors.map((error) => error.pointer)).toEqual([pointer])
  expect(parseNotification(body, { tolerant: true }).ok).toBe(true)
})

test('the strict parser accepts a leap day and a dob marker that contains digits', () => {
  const unusual = [
    mutated(golden('items'), '/items/updated_at', '2028-02-29T09:00:00.000Z'),
    mutated(golden('users'), '/users/dob', '9f2c1d/30'),
  ]

  expect(unusual.map((body) => parseNotification(body).ok)).toEqual([true, true])
})

function changedItem(fields: object): object {
  return { items: { ...Reflect.get(golden('items'), 'items'), ...fields } }
}

test('the strict parser reports each problem once', () => {
  const body = { ...changedItem({ amount: 'x', state: 'shipped', gift: true, name: undefined }), extra: 1 }

  const parsed = parseNotification(body)

  const pointers = parsed.ok ? [] : parsed.errors.map(({ pointer }) => pointer)
  expect(pointers.toSorted()).toEqual([
    '/extra',
    '/items/amount',
    '/items/gift',
    '/items/name',
    '/items/state',
  ])
})

test('the strict parser limits the number and the length of errors', () => {
  const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, 1]))
  const parsed = parseNotification(changedItem({ ...fields, state: 'x'.repeat(100_000) }))

  const errors = parsed.ok ? [] : parsed.errors
  expect(errors.length).toBe(1_000)
  expect(Math.max(...errors.map(({ message }) => message.length))).toBeLessThan(1_000)
})

test('parseNotification() accepts the option "tolerant" at run time', () => {
  const parse = (tolerant: boolean) => parseNotification(changedItem({ new: 1 }), { tolerant })

  expectTypeOf(parse).returns.toEqualTypeOf<Parsed | TolerantParsed | Unparsed>()
  expectTypeOf(parseNotification({}, { tolerant: false })).toEqualTypeOf<Parsed | Unparsed>()
  expectTypeOf(parseNotification({}, { tolerant: true })).toEqualTypeOf<TolerantParsed | Unparsed>()
  expectTypeOf(parseNotification({}, {})).toEqualTypeOf<Parsed | Unparsed>()
  expect([parse(true).ok, parse(false).ok]).toEqual([true, false])
})
