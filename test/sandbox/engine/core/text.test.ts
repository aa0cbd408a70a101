import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { commandLine } from '../../../../sandbox/engine/core/command-line.ts'
import { toPrintable, toPrintableJson } from '../../../../sandbox/engine/core/short-text.ts'
import { diffJson } from '../../../../sandbox/engine/core/json-diff.ts'
import { createMask, maskHeaders, maskText, maskUrls } from '../../../../sandbox/engine/core/masking.ts'
import { isPredictable, describeWeakness } from '../../../../sandbox/engine/core/secret-strength.ts'
import { findLiveSign } from '../../../../sandbox/cli/live-secret-warnings.ts'

test('commandLine() includes a non-default data folder and quotes the folder for a shell', () => {
  expect(commandLine('jobs')).toBe('npx hookbench jobs')
  expect(commandLine('jobs', '.hookbench')).toBe('npx hookbench jobs')
  expect(commandLine('job j1', 'mine')).toBe('npx hookbench job j1 --data mine')
  expect(commandLine('up', "it's mine")).toBe(String.raw`npx hookbench up --data 'it'\''s mine'`)
})

test('commandLine() includes the selected world except for commands without a world option', () => {
  expect(commandLine('jobs', { world: 'anna' })).toBe('npx hookbench jobs --world anna')
  expect(commandLine('job j1', { data: 'mine', world: 'default' })).toBe(
    'npx hookbench job j1 --data mine --world default',
  )
  expect(commandLine('up', { data: 'mine', world: 'anna' })).toBe('npx hookbench up --data mine')
  expect(commandLine('worlds add ben', { world: 'anna' })).toBe('npx hookbench worlds add ben')
  expect(commandLine('cert localhost', { world: 'anna' })).toBe('npx hookbench cert localhost')
})

test.each([
  ['{\n  "a": 1\r\n}\n', '{⏎  "a": 1⏎}⏎'],
  ['a\tb', 'a b'],
  ['\u001B[2J\u202Eb\u0000', '\uFFFD[2J\uFFFDb\uFFFD'],
  ['::error::x', ': :error::x'],
  [' \t ::x', '   : :x'],
  ['a ##[error]x', 'a ## [error]x'],
  ['Grüße → 42 €', 'Grüße → 42 €'],
])('toPrintable() converts %j to one safe line', (text, shown) => {
  expect(toPrintable(text)).toBe(shown)
})

test('toPrintableJson() returns equivalent JSON without control characters', () => {
  const value = { text: '\u0000\u001B[2J\u007F\u0085\u009B\u061C\u200E\u2028\u202E\u2069##[error] Grüße ✓ 𝄞' }

  const text = toPrintableJson(value, 2)

  expect(JSON.parse(text)).toEqual(value)
  expect(text).not.toMatch(
    // oxlint-disable-next-line no-control-regex -- matches the characters that the text must not contain
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|##\[/,
  )
})

const diff = (before: unknown, after: unknown) => diffJson(JSON.stringify(before), JSON.stringify(after))

test('diff() names each differing field with both values at any depth', () => {
  const before = { items: { state: 'pending', fees: [{ amount: 1 }, { amount: 2 }], 'a b': 1, same: null } }
  const after = {
    items: { state: 'completed', fees: [{ amount: 1 }], 'a b': 2, same: null, buyer: { id: 7 } },
  }

  expect(diff(before, after)).toEqual([
    { path: 'items.state', before: '"pending"', after: '"completed"' },
    { path: 'items.fees[1]', before: '{"amount":2}', after: undefined },
    { path: 'items."a b"', before: '1', after: '2' },
    { path: 'items.buyer', before: undefined, after: '{"id":7}' },
  ])
})

test('diff() reports a value of another type as one difference and ignores field order', () => {
  expect(diff({ a: [1] }, { a: { 0: 1 } })).toEqual([{ path: 'a', before: '[1]', after: '{"0":1}' }])
  expect(diff([1], 'x')).toEqual([{ path: '', before: '[1]', after: '"x"' }])
  expect(diff({ a: 1, b: null }, { b: null, a: 1 })).toEqual([])
})

test('diffJson() treats prototype names as normal fields and escapes bidirectional characters', () => {
  expect(diffJson('{"__proto__":1,"x":"\u202E"}', '{"constructor":2}')).toEqual([
    { path: '__proto__', before: '1', after: undefined },
    { path: 'x', before: String.raw`"\u202e"`, after: undefined },
    { path: 'constructor', before: undefined, after: '2' },
  ])
})

test('diffJson() returns undefined for text that is not JSON', () => {
  expect([diffJson('{', '{}'), diffJson('{}', '')]).toEqual([undefined, undefined])
})

test.each([
  ['a password in a URL', 'at https://me:hush@host.test:8/x', 'at https://***@host.test:8/x'],
  ['a user name in a URL, which may be a token', '"http://hush@host/"', '"http://***@host/"'],
  ['a password with an @ in it', 'postgres://me:p@hush@host/db', 'postgres://***@host/db'],
  [
    'a token in a query',
    'GET /items?limit=1&access_token=hush HTTP',
    'GET /items?limit=1&access_token=*** HTTP',
  ],
  ['a key in a query', "'https://h/x?key=hush'", "'https://h/x?key=***'"],
  ['a secret in a form', 'client_secret=hush&grant_type=x', 'client_secret=***&grant_type=x'],
  ['a token after a header name', 'Authorization: Bearer hushhushhushhush==', 'Authorization: Bearer ***'],
])('maskText() masks %s', (_, text, masked) => {
  expect(maskText(text)).toBe(masked)
})

test.each([
  'POST https://localhost:9443/notifications/{object_type}?type=items&page=2',
  'me@host.test wrote to you@host.test',
  'give HTTP Basic authentication, or a bearer token; code=7 and author=me',
  '{"state":"completed","amount":120000}',
])('maskText() does not change %j', (text) => {
  expect(maskText(text)).toBe(text)
})

test('a masked credential header keeps its name in upper or lower case', () => {
  const headers = ['Set-Cookie', 'authorization', 'X-Api-Key', 'Proxy-Authorization', 'x-auth-token']

  const masked = maskHeaders([
    ...headers.map((name) => [name, 'hush'] as const),
    ['location', '/x?token=hush'],
  ])

  expect(masked).toEqual([...headers.map((name) => [name, '(left out)']), ['location', '/x?token=***']])
})

test('maskUrls() masks tokens and preserves object IDs', () => {
  const id = '00000000-0000-4000-8000-000000000001'
  const text = `https://h.test/items/${id}: not https://h.test/x/3f9c1d2ab47e8051?of=Zm9vYmFyYmF6cXV4-_1A2b, or 3f9c1d2ab47e8051`

  expect(maskUrls(text)).toBe(
    `https://h.test/items/${id}: not https://h.test/x/***?of=***, or 3f9c1d2ab47e8051`,
  )
})

test('a mask replaces longer secrets before shorter secrets, including URL-encoded secrets', () => {
  const mask = createMask(['hush/hush', 'hush/hush/hush', 'short'])

  expect(mask('hush/hush/hush, hush%2Fhush and short')).toBe('***, *** and short')
})

test.each([
  ['{"access_token":"hush","id":"a"}', '{"access_token":"***","id":"a"}'],
  ['{"password" : "hu\\"sh", "b": 1}', '{"password" : "***", "b": 1}'],
  [String.raw`{"body":"{\"api_key\":\"hush\"}"}`, String.raw`{"body":"{\"api_key\":\"***\"}"}`],
  ['{"token_type":"bearer","code":"conflict"}', '{"token_type":"bearer","code":"conflict"}'],
])('maskText() leaves no credential in the JSON %s', (text, expected) => {
  expect(maskText(text)).toBe(expected)
})

/** A quadratic search would exceed the timeout. */
const REPEATED = [
  'a.',
  'a://',
  '?',
  'a=',
  '?a',
  'bearer ',
  'x@',
  '&token=',
  '\\',
  '\\"',
  '"a":"',
  '"a" ',
  '"token":',
]

test.each(REPEATED)('maskText() takes linear time for a long text that repeats %j', (part) => {
  expect(maskText(part.repeat(200_000)).length).toBeGreaterThan(0)
})

const THOUGHT_OF = [
  '0123456789abcdef0123456789abcdef',
  'fedcba9876543210fedcba9876543210',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'abc123abc123abc123abc123abc123ab',
  '00000000-0000-0000-0000-000000000001',
  'qwertyuiopasdfghjklzxcvbnm123456',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9',
  'correct-horse-battery-staple-again',
  'NotificationsOfThePaymentService2024',
]

test.each(THOUGHT_OF)('describeWeakness() rejects %s as a token', (text) => {
  expect(describeWeakness(text, undefined)).toBe('is easy to guess. Use a random secret')
})

const digests = Array.from({ length: 2_000 }, (_, index) =>
  createHash('sha256').update(String(index)).digest(),
)

test.each([
  ['32 hex digits', (digest: Buffer) => digest.toString('hex', 0, 16)],
  ['22 characters of base64url', (digest: Buffer) => digest.toString('base64url', 0, 16)],
  ['32 characters of base64url', (digest: Buffer) => digest.toString('base64url', 0, 24)],
])('isPredictable() returns false for random tokens in the form %s', (_, write) => {
  expect(digests.map(write).filter(isPredictable)).toEqual([])
})

test('isPredictable() returns false for a token that consists of a word and random characters', () => {
  expect(isPredictable('notifications-3f9c1d2ab47e8051c6d20a94e7b1358f')).toBe(false)
})

test.each([
  ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', 'the text contains "live" or "production"'],
  ['PROD-7d1c0a', 'the text contains "live" or "production"'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'the text is a signed token'],
  ['-----BEGIN EC PRIVATE KEY-----\nMHcC', 'the text is a private key'],
  ['AKIAIOSFODNN7EXAMPLE', 'the text is an AWS key'],
  ['ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'the text is a token of a code host or a chat service'],
])('the live-secret detection recognizes %s', (secret, sign) => {
  expect(findLiveSign(secret)).toBe(sign)
})

test.each([
  'sandbox-secret',
  'olive-oil-product',
  '3f9c1d2ab47e8051c6d20a94e7b1358f3f9c1d2ab47e8051c6d20a94e7b1358f',
  'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
  '',
])('the live-secret detection ignores %s', (secret) => {
  expect(findLiveSign(secret)).toBeUndefined()
})
