import { createServer } from 'node:http'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createService, createTokens } from '../../../contracts/reference-receiver/starter/service.mjs'

interface Scripted {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** A client of a service that answers these to its calls, and grants `token 1`, `token 2` …; what it was called with. */
async function clientOf(...script: readonly (Scripted | 'hang')[]) {
  const calls: string[] = []
  const left = [...script]
  let tokens = 0
  const server = createServer((request, response) => {
    if (request.url === '/tokens') return void response.end(`{"access_token":"token ${++tokens}"}`)
    calls.push(`${request.url} ${request.headers.authorization}`)
    const next = left.shift() ?? { status: 500 }
    if (next === 'hang') return undefined
    return void response.writeHead(next.status, next.headers).end(JSON.stringify(next.body ?? {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const url = `http://127.0.0.1:${port}`
  // Nothing but a call that hangs is to be given up.
  const timeoutMs = script.includes('hang') ? 100 : 5_000
  const options = { url, clientId: 'a', clientSecret: 'b', timeoutMs }
  const { signal } = new AbortController()
  return { client: createService(options, createTokens(options, signal), signal), calls }
}

test('a client keeps its token, and gets another when it has expired', async () => {
  const { client, calls } = await clientOf({ status: 200 }, { status: 401 }, { status: 200, body: { a: 1 } })

  await client.show('/items/1')
  const shown = await client.show('/items/2')

  expect(shown).toMatchObject({ kind: 'shown', body: { a: 1 } })
  expect(calls).toEqual(['/items/1 Bearer token 1', '/items/2 Bearer token 1', '/items/2 Bearer token 2'])
})

test('a client asks no more often than twice for what no token opens', async () => {
  const refusal = { status: 401, body: { message: 'token expired' } }
  const { client, calls } = await clientOf(refusal, refusal)

  expect(await client.show('/items/1')).toEqual({ kind: 'unavailable', status: 401, retryAfterMs: 0 })
  expect(calls).toEqual(['/items/1 Bearer token 1', '/items/1 Bearer token 2'])
})

test.each([
  ['404', { status: 404 }, { kind: 'missing' }],
  ['401 with the code of an unknown object', { status: 401, body: { code: 405 } }, { kind: 'missing' }],
  ['503', { status: 503 }, { kind: 'unavailable', status: 503, retryAfterMs: 0 }],
  [
    '429 with Retry-After',
    { status: 429, headers: { 'retry-after': '2' } },
    { kind: 'unavailable', status: 429, retryAfterMs: 2_000 },
  ],
  [
    'a redirect',
    { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
    { kind: 'unavailable', status: 302, retryAfterMs: 0 },
  ],
  ['no answer', 'hang', { kind: 'unavailable', status: undefined, retryAfterMs: 0 }],
] as const)('a client tells %s from an object', async (_, scripted, shown) => {
  const { client } = await clientOf(scripted)

  expect(await client.show('/items/1')).toEqual(shown)
})
