import { expect, test } from 'vitest'
import { EXAMPLES } from '../../spec/generated/examples.ts'
import { NOTIFICATIONS, type NotifiedType } from '../../spec/generated/notifications.ts'
import { parseNotification } from '../../spec/parse-notification.ts'

const read = (body: unknown) => parseNotification(body, { tolerant: true })

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectIn = (type: NotifiedType, body: object): Fields =>
  Object(NOTIFICATIONS[type].wrapped ? Reflect.get(body, type) : body)
const wrap = (type: NotifiedType, object: Fields) =>
  NOTIFICATIONS[type].wrapped ? { [type]: object } : object

/** Yields a copy of the object for each field at every level, with this field changed. Also yields the path of the field. */
function* changedFields(
  object: Fields,
  change: (fields: Fields, name: string) => Fields | undefined,
  path = '',
): Generator<{ readonly path: string; readonly object: Fields }> {
  for (const [name, value] of Object.entries(object)) {
    const changed = change(object, name)
    if (changed) yield { path: `${path}/${name}`, object: changed }
    const [inner, rewrap] = Array.isArray(value)
      ? [value[0] as unknown, (fields: Fields): unknown => [fields]]
      : [value, (fields: Fields): unknown => fields]
    if (!isObject(inner)) continue
    for (const within of changedFields(inner, change, `${path}/${name}`))
      yield { path: within.path, object: { ...object, [name]: rewrap(within.object) } }
  }
}

const withoutField = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

test.each(EXAMPLES)('a tolerant reader accepts $name without any field except the id', ({ type, body }) => {
  const object = objectIn(type, body)
  const changes = [
    ...changedFields(object, withoutField),
    ...changedFields(object, (fields, name) => ({ ...fields, [name]: null })),
  ]

  const refused = changes.filter((change) => !read(wrap(type, change.object)).ok).map(({ path }) => path)

  expect(changes.length).toBeGreaterThan(9)
  expect(refused).toEqual(['/id', '/id'])
})

const NUMBERS =
  /\/(id|\w+_id|uuid|phone|mobile|\w+_number|numeric_code|\w+_postcode|\w+_bsb)$|\/related\/\w+$/

test.each(EXAMPLES)('a tolerant reader accepts ids of $name as text or numbers', ({ type, body }) => {
  const object = objectIn(type, body)
  const swapped = [
    ...changedFields(object, (fields, name) => {
      const value = fields[name]
      if (typeof value === 'number') return { ...fields, [name]: String(value) }
      return typeof value === 'string' ? { ...fields, [name]: 61_400_000_000 } : undefined
    }),
  ]
  const isNumber = (path: string) => typeof valueAt(object, path) === 'number' || NUMBERS.test(path)
  const expected = swapped.filter(({ path }) => isNumber(path))

  const refused = expected.filter((change) => !read(wrap(type, change.object)).ok).map(({ path }) => path)

  expect(expected.length).toBeGreaterThan(0)
  expect(refused).toEqual([])
})

function valueAt(object: Fields, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => Reflect.get(Object(Array.isArray(node) ? node[0] : node), key), object)
}

const extended = Object(
  EXAMPLES.flatMap(({ body }) =>
    'batch_transactions' in body && 'uuid' in body.batch_transactions ? [body.batch_transactions] : [],
  )[0],
)
const KINDS: readonly (readonly [string | null, string | null])[] = [
  ...NOTIFICATIONS.batch_transactions.kinds.map(
    ({ constants }) => [constants.type, constants.type_method] as const,
  ),
  ['disbursement', 'npp'],
  [null, null],
]

test.each(KINDS)(
  'a tolerant reader accepts an extended batch transaction with the type %s and the method %s',
  (type, type_method) => {
    const { type: _, type_method: __, ...rest } = extended

    expect(read({ batch_transactions: { ...extended, type, type_method } }).ok).toBe(true)
    expect(read({ batch_transactions: rest }).ok).toBe(true)
  },
)

test.each([true, false, 'encrypted', null])(
  'both readers accept account_details_encrypted as %s',
  (account_details_encrypted) => {
    const marketplace = { ...extended.marketplace, account_details_encrypted }
    const body = { batch_transactions: { ...extended, marketplace } }

    expect([parseNotification(body).ok, read(body).ok]).toEqual([true, true])
  },
)

test.each([
  [{ state: 'frozen', status: 99_999 }],
  [{ links: { self: '/items/another' } }],
  [{ state: 7, status: null }, '/items/state'],
  [{ status: 'completed' }, '/items/status'],
  [{ amount: 'plenty' }, '/items/amount'],
  [{ amount: '-1200' }],
  [{ id: '' }, '/items/id'],
  [{ links: [] }, '/items/links'],
])('the tolerant parser of an item with %j reports the invalid field: %s', (fields, pointer?: string) => {
  const result = read({ items: { id: 'i1', ...fields } })

  const pointers = result.ok ? [] : result.errors.map((error) => error.pointer)
  expect(pointers).toEqual(pointer === undefined ? [] : [pointer])
})

test.each([
  [{ id: 'v1' }, false],
  [{ name: 'virtual_accounts' }, false],
  [{ id: 'v1', name: 'virtual_accounts' }, true],
  [{ id: 'v1', link: '/virtual_accounts/v1', name: null, event: 'closed' }, true],
  [{ id: 'v1', link: '/wallet_accounts/v1' }, false],
])('a tolerant reader accepts %j as a virtual account: %s', (body, expected) => {
  const result = read(body)

  expect(result.ok && result.type === 'virtual_accounts').toBe(expected)
})

test('a tolerant reader uses the valid key of a body with several keys', () => {
  expect(read({ items: {}, users: { id: 'u1' } })).toMatchObject({ ok: true, type: 'users' })
  expect(read({ items: {}, users: {} })).toMatchObject({ errors: [{ pointer: '/items/id' }] })
})

test('a tolerant reader accepts a test message with additional fields', () => {
  expect(read({ message: 'x', sent_by: 'y' })).toMatchObject({ ok: true, type: 'test' })
  expect(read({ message: 'x', items: { id: 'i1' } })).toMatchObject({ ok: true, type: 'items' })
  expect(read({ message: 7 })).toMatchObject({ errors: [{ pointer: '/message' }] })
  expect(parseNotification({ message: 'x', sent_by: 'y' })).toMatchObject({
    errors: [{ pointer: '/sent_by' }],
  })
})
