import { expect, test } from 'vitest'
import { createMask, maskHeaders, maskText, maskUrls } from '../../../../sandbox/engine/core/masking.ts'

test.each([
  ['a password in a URL', 'at https://me:hush@host.test:8/x', 'at https://***@host.test:8/x'],
  ['a user in a URL, which may be a token', '"http://hush@host/"', '"http://***@host/"'],
  ['a password with an @ in it', 'postgres://me:p@hush@host/db', 'postgres://***@host/db'],
  [
    'a token in a query',
    'GET /items?limit=1&access_token=hush HTTP',
    'GET /items?limit=1&access_token=*** HTTP',
  ],
  ['a key in a query', "'https://h/x?key=hush'", "'https://h/x?key=***'"],
  ['a secret in a form', 'client_secret=hush&grant_type=x', 'client_secret=***&grant_type=x'],
  ['a token behind a header’s name', 'Authorization: Bearer hushhushhushhush==', 'Authorization: Bearer ***'],
])('%s is masked', (_, text, masked) => {
  expect(maskText(text)).toBe(masked)
})

test.each([
  'POST https://localhost:9443/notifications/{object_type}?type=items&page=2',
  'me@host.test wrote to you@host.test',
  'give HTTP Basic authentication, or a bearer token; code=7 and author=me',
  '{"state":"completed","amount":120000}',
])('%j has nothing to mask', (text) => {
  expect(maskText(text)).toBe(text)
})

test('a header with a credential keeps its name, in whatever letters', () => {
  const headers = [
    'Set-Cookie',
    'authorization',
    'X-Api-Key',
    'Cookie',
    'Proxy-Authorization',
    'x-auth-token',
  ]

  const masked = maskHeaders([
    ...headers.map((name) => [name, 'hush'] as const),
    ['location', '/x?token=hush'],
  ])

  expect(masked).toEqual([...headers.map((name) => [name, '(left out)']), ['location', '/x?token=***']])
})

test('maskUrls() masks tokens, and no ids of objects, when a text has URLs', () => {
  const id = '00000000-0000-4000-8000-000000000001'
  const text = `https://h.test/items/${id}: not https://h.test/x/3f9c1d2ab47e8051?of=Zm9vYmFyYmF6cXV4-_1A2b, or 3f9c1d2ab47e8051`

  expect(maskUrls(text)).toBe(
    `https://h.test/items/${id}: not https://h.test/x/***?of=***, or 3f9c1d2ab47e8051`,
  )
})

test('a mask takes out what it is told, also as it stands in a URL, and the longer one first', () => {
  const mask = createMask(['hush/hush', 'hush/hush/hush', 'short'])

  expect(mask('hush/hush/hush, hush%2Fhush and short')).toBe('***, *** and short')
})

test.each([
  ['{"access_token":"hush","id":"a"}', '{"access_token":"***","id":"a"}'],
  ['{"password" : "hu\\"sh", "b": 1}', '{"password" : "***", "b": 1}'],
  [String.raw`{"body":"{\"api_key\":\"hush\"}"}`, String.raw`{"body":"{\"api_key\":\"***\"}"}`],
  ['{"token_type":"bearer","code":"conflict"}', '{"token_type":"bearer","code":"conflict"}'],
])('of JSON no credential is left: %s', (text, expected) => {
  expect(maskText(text)).toBe(expected)
})

/** With a search that starts again at each of them, the runner's time is over long before. */
test.each([
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
])('a long text of %j is masked in time that grows with it', (part) => {
  expect(maskText(part.repeat(200_000)).length).toBeGreaterThan(0)
})
