import { expect, test } from 'vitest'
import type { ContextOptions } from '../support/check-context.ts'
import { isTest } from '../support/defects.ts'
import { defective, findingOf } from '../support/verdicts.ts'

const run = (name: string, options?: Partial<ContextOptions>) => findingOf(`registration/${name}`, options)

test('the check "accepts-test-post" sends one test POST to one URL', async () => {
  const urls: string[] = []
  const receive = defective(({ url }) => {
    urls.push(url)
    return undefined
  })

  await run('accepts-test-post', { receive, template: 'https://receiver.test/all' })

  expect(urls).toEqual(['https://receiver.test/all'])
})

test('the check "any-test-text" fails a receiver that limits the length of the text in the test POST', async () => {
  const receive = defective(({ body }) => (isTest(body) && body.length > 5_000 ? { status: 500 } : undefined))

  expect(await run('any-test-text', { receive })).toMatchObject({
    actual: 'the test POST with 10 000 characters was answered 500',
  })
})

const curious = defective(async ({ body }, desk) => {
  if (isTest(body)) await desk.call('/items/undefined')
  return undefined
})

test('the check "test-post-without-effect" fails a receiver that acts on an object after the test POST', async () => {
  const receive = defective(({ body }, { ledger }) => {
    if (isTest(body)) ledger.get = () => ({ effects: 1, state: 'successful' })
    return undefined
  })

  expect(await run('test-post-without-effect', { receive })).toMatchObject({
    kind: 'failed',
    expected: expect.stringContaining('no effect for transactions'),
    actual: 'one effect, and the receiver shows the state successful',
  })
})

test('the check "test-post-without-effect" is not observable when the calls and the effects of the receiver are invisible', async () => {
  const observe = { calls: false, effects: false }

  expect(await run('test-post-without-effect', { receive: curious, observe })).toMatchObject({
    kind: 'not-observable',
  })
})

test.each([
  [{ calls: false }, 'the calls of the receiver to the service'],
  [{ effects: false }, 'the effects of the receiver'],
])(
  'the check "test-post-without-effect" lists the calls or the effects as unobserved when the options are %j',
  async (observe, unobserved) => {
    expect(await run('test-post-without-effect', { observe })).toEqual({ kind: 'passed', unobserved })
  },
)

test.each([
  ['http://receiver.test/{object_type}', 'is http, not https'],
  ['/notifications/{object_type}', 'is not an absolute URL'],
  ['https://me:secret@receiver.test/{object_type}', 'has user information before its host'],
  ['https://receiver.test/{object_type}#here', 'has a fragment'],
])('the check "url-form" fails the URL: %s', async (template, fault) => {
  expect(await run('url-form', { template })).toMatchObject({
    kind: 'failed',
    actual: `the URL for webhooks of items ${fault}, and 14 more of 15 URLs have a fault`,
  })
})

test.each([
  ['nothing', ''],
  ['a short token', 'a8f3c1d2ab47e805'],
  ['31 hex characters', '3f9c1d2ab47e80513f9c1d2ab47e805'.replaceAll(/[0-9]/g, 'a')],
  ['consecutive hex digits', '0123456789abcdef0123456789abcdef'],
])('the check "unguessable-url" fails a URL path with %s', async (_, segment) => {
  const template = `https://receiver.test/{object_type}/${segment}`

  expect(await run('unguessable-url', { template })).toMatchObject({
    kind: 'failed',
    actual: expect.stringContaining('the URL for webhooks of items has no random segment of this length'),
  })
})

test.each([
  ['32 hex characters', '3f9c1d2ab47e80513f9c1d2ab47e8051'],
  ['a UUID', 'f3863c22-1b6a-46b3-a4c5-05265f327606'],
  ['22 base64url characters', 'Zm9vYmFyYmF6cXV4-_1A2b'],
])('the check "unguessable-url" passes a URL path with %s', async (_, segment) => {
  const template = `https://receiver.test/hooks/${segment}/{object_type}`

  expect(await run('unguessable-url', { template })).toEqual({ kind: 'passed' })
})
