import { expect, test } from 'vitest'
import { JSON_TYPE, useListeners, type Expected } from '../../support/listeners.ts'
import type { RawRequest } from '../../support/stored-sandbox.ts'

// What no listener takes, over a socket: the exact outcome, and a store that is what it was. What takes part of a sandbox to
// show, such as two registrations at once, is tested where that part is.

const { send, expectRefusal } = useListeners()

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test.each<[string, string, Expected, Expected]>([
  ['truncated JSON', '{"a":', 400, [400, 'invalid_json']],
  ['a trailing comma', '{"a":1,}', 400, [400, 'invalid_json']],
  ['a byte order mark', '\ufeff{}', 400, [400, 'invalid_json']],
  ['NaN', '{"a":NaN}', 400, [400, 'invalid_json']],
  ['single quotes', "{'a':1}", 400, [400, 'invalid_json']],
  ['white space only', '  \n', 400, [400, 'invalid_json']],
  ['nothing at all', '', 400, [400, 'invalid_json']],
  ['null', 'null', 422, [422, '"invalid"']],
  ['a list', '[]', 422, [422, '"invalid"']],
  ['text', '"x"', 422, [422, '"invalid"']],
  ['a number', '1', 422, [422, '"invalid"']],
  ['100 levels', deep(100), 422, [422, 'too_deep']],
  ['5,000 levels', deep(5_000), 422, [422, 'too_deep']],
  ['150,000 levels', '['.repeat(75_000) + ']'.repeat(75_000), 422, [422, 'too_deep']],
  ['a million keys', `{${Array.from({ length: 1e6 }, (_, key) => `"${key}":1`).join()}}`, 413, 413],
  [
    '1,001 keys',
    `{${Array.from({ length: 1_001 }, (_, key) => `"${key}":1`).join()}}`,
    422,
    [422, 'too_many_fields'],
  ],
  ['a number beyond 2^53', '{"a":9007199254740993}', 422, [422, 'not_safe_integer']],
  ['a number beyond all', '{"a":1e400}', 422, [422, 'not_safe_integer']],
  ['minus zero', '{"a":-0}', 422, [422, 'not_safe_integer']],
  ['half a surrogate pair', '{"a":"\\ud800"}', 422, [422, 'not_well_formed']],
  ['half a surrogate pair as a key', '{"\\ud800":1}', 422, [422, 'not_well_formed']],
  ['__proto__ as a key', '{"__proto__":{"admin":true}}', 400, [422, '']],
  ['constructor as a key', '{"constructor":{"prototype":{"admin":true}}}', 400, [422, '']],
])('a body with %s is refused', async (...[_, body, service, bench]) => {
  await expectRefusal('service', { body }, service)
  await expectRefusal('bench', { body }, bench)
  expect(({} as { readonly admin?: unknown }).admin).toBeUndefined()
})

test('the last of two equal keys counts, as in JSON.parse', async () => {
  await expectRefusal('bench', { body: '{"on":"delivery","on":"x","kind":"drop"}' }, [422, '"on\\" takes'])
})

test.each<[string, readonly string[], Expected, Expected]>([
  ['text/plain', ['Content-Type: text/plain'], 415, 415],
  ['multipart', ['Content-Type: multipart/form-data; boundary=x'], 415, 415],
  ['a type with a tab', ['Content-Type: application/json\tx'], 415, 415],
  ['UTF-16', ['Content-Type: application/json; charset=utf-16'], 415, 415],
  ['compressed', [JSON_TYPE, 'Content-Encoding: gzip'], 415, 415],
  ['a form', ['Content-Type: application/x-www-form-urlencoded'], 400, 415],
  ['no type', [], 400, 415],
])('a body that is %s is refused', async (...[_, headers, service, bench]) => {
  const body = '{"on":"delivery"}'
  await expectRefusal('service', { headers, body }, service)
  await expectRefusal('bench', { headers, body }, bench)
})

test.each<[string, Partial<RawRequest>, Expected]>([
  ['of 10 MB', { body: ' '.repeat(10e6) }, 413],
  ['that says it has 1 GB', { headers: [JSON_TYPE, 'Content-Length: 1000000000'] }, 413],
  [
    'that says it has 99999999999999999999 bytes',
    { headers: [JSON_TYPE, 'Content-Length: 99999999999999999999'] },
    400,
  ],
])('a body %s is refused, and the connection closed', async (_, request, expected) => {
  await expectRefusal('service', request, expected)
  await expectRefusal('bench', request, expected)
})

const IDS = [
  'a%00b',
  '%E2%80%AEx',
  '%E2%80%8B',
  'x'.repeat(10_000),
  '%F0%9F%98%80',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..;/x',
]
const SQL_IDS = [
  "'%20OR%201=1--",
  '%22;%20DROP%20TABLE%20entries;',
  '*',
  '%25',
  '_',
  'i_',
  'I1',
  '%2Fetc%2Fpasswd',
]

test.each([...IDS, ...SQL_IDS])('nothing is found by the id %s', async (id) => {
  await expectRefusal('service', { method: 'GET', path: `/items/${id}` }, id.length > 9_000 ? 404 : 404)
  await expectRefusal('bench', { method: 'GET', path: `/control/objects/items/${id}` }, 404)
  await expectRefusal('bench', { method: 'DELETE', path: `/control/faults/${id}` }, 404)
})

test.each([
  '"a\\u0000b"',
  '"\\u202ex"',
  '"\\u200bx"',
  `"${'x'.repeat(10_000)}"`,
  '""',
  '"../x"',
  '"a/b"',
  '7',
])('no object is made with the id %s', async (id) => {
  const person = '"first_name":"N","last_name":"B","email":"n@example.test","country":"AUS"'
  await expectRefusal('service', { path: '/users', body: `{"id":${id},${person}}` }, 422)
  await expectRefusal('bench', { path: '/control/objects/users', body: `{"id":${id}}` }, 422)
})

test.each(['Items', 'ITEMS', 'constructor', 'toString', '__proto__', 'items%00', ''])(
  'there is not an object type %j',
  async (type) => {
    const body = JSON.stringify({ url: 'https://localhost:9/x', object_type: type })
    await expectRefusal('service', { body }, 422)
    await expectRefusal('service', { path: '/callbacks', body }, 422)
    await expectRefusal(
      'bench',
      { path: `/control/objects/${encodeURIComponent(type)}`, body: '{}' },
      type === '' ? 404 : 422,
    )
  },
)

test('no callback is registered for virtual accounts', async () => {
  const body = '{"url":"https://localhost:9/x","object_type":"virtual_accounts"}'
  await expectRefusal('service', { path: '/callbacks', body }, 422)
})

test.each(['"100"', '1.5', '-1', '1e300', 'true', '[]', '0.1e-400'])(
  'the bench takes no amount of %s',
  async (amount) => {
    await expectRefusal(
      'bench',
      { path: '/control/payments', body: `{"kind":"card-payin","amount":${amount}}` },
      422,
    )
  },
)

test.each([
  '9007199254740993',
  '"9007199254740993"',
  '1.5',
  '"1.5"',
  '9007199254740992.5',
  '1.00000000000000001',
  '0.99999999999999999999',
  '100e-1000000',
  '9007199254740991.2',
  '"9007199254740992.5"',
  '12345678901234567.25',
  '"x"',
  '-1',
])('the service takes no amount of %s', async (amount) => {
  const parties = '"buyer_id":"b","seller_id":"s","name":"n","id":"i2"'
  await expectRefusal('service', { path: '/items', body: `{${parties},"amount":${amount}}` }, 422)
})

test.each([
  'limit=-1',
  'limit=0',
  'limit=1000000000',
  'limit=NaN',
  'limit=',
  'limit=1&limit=2',
  'limit[]=1',
  'cursor=x',
  'status[$ne]=1',
  'x=1',
])('the bench takes no query with %s', async (query) => {
  await expectRefusal('bench', { method: 'GET', path: `/control/jobs?${query}` }, 422)
})

test.each(['limit=-1', 'limit=NaN', 'offset=-1', 'offset=1e9'])(
  'the service takes no query with %s',
  async (query) => {
    await expectRefusal('service', { method: 'GET', path: `/webhooks?${query}` }, 422)
  },
)

test.each(['12.0', '1.2e1', '120e-1', '12'])(
  'the bench takes %s for the whole number that it is',
  async (amount) => {
    const { status, body } = await send('bench', {
      path: '/control/payments',
      body: `{"kind":"card-payin","amount":${amount}}`,
    })

    expect([status, body.amount]).toEqual([201, 12])
  },
)
