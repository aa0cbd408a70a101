import { expect, expectTypeOf, test } from 'vitest'
import { EXAMPLES } from '../../spec/generated/examples.ts'
import {
  parseNotification,
  type Parsed,
  type TolerantParsed,
  type Unparsed,
} from '../../spec/parse-notification.ts'

const [golden = {}] = EXAMPLES.flatMap(({ type, body }) => (type === 'items' ? [body] : []))

function changedItem(fields: object): object {
  return { items: { ...Reflect.get(golden, 'items'), ...fields } }
}

test('errors are all that is wrong, each place once', () => {
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

test('an error of an enumeration has the value and what it may be', () => {
  const parsed = parseNotification(changedItem({ state: 'shipped' }))

  expect(parsed).toEqual({
    ok: false,
    errors: [
      {
        pointer: '/items/state',
        message: expect.stringMatching(/^is "shipped", which is none of "pending", .*"completed"/),
      },
    ],
  })
})

test('errors of hostile data are bounded, in number and in length', () => {
  const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, 1]))
  const parsed = parseNotification(changedItem({ ...fields, state: 'x'.repeat(100_000) }))

  const errors = parsed.ok ? [] : parsed.errors
  expect(errors.length).toBe(1_000)
  expect(Math.max(...errors.map(({ message }) => message.length))).toBeLessThan(1_000)
})

test('tolerant may be known only when it runs', () => {
  const parse = (tolerant: boolean) => parseNotification(changedItem({ new: 1 }), { tolerant })

  expectTypeOf(parse).returns.toEqualTypeOf<Parsed | TolerantParsed | Unparsed>()
  expectTypeOf(parseNotification({}, { tolerant: false })).toEqualTypeOf<Parsed | Unparsed>()
  expectTypeOf(parseNotification({}, { tolerant: true })).toEqualTypeOf<TolerantParsed | Unparsed>()
  expectTypeOf(parseNotification({}, {})).toEqualTypeOf<Parsed | Unparsed>()
  expect([parse(true).ok, parse(false).ok]).toEqual([true, false])
})
