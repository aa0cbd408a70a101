import type { RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createControlClient } from '../../../sandbox/client/control-client.ts'
import { RefusedError } from '../../../sandbox/client/requests.ts'
import type { Perform } from '../../../sandbox/compose/perform.ts'
import { registeredSandbox } from '../../support/test-sandbox.ts'
import { callHttp, createHttpCall } from '../../../sandbox/client/http-call.ts'
import { explainNoAnswer } from '../../../sandbox/client/no-answer.ts'
import { UnreachableError } from '../../../sandbox/client/unreachable.ts'
import { serveHttp } from '../../support/scripted-server.ts'

const ADDRESS = { url: 'http://control.test', token: 'x' }

function clientAnswered(answer: () => Response = () => Response.json({})) {
  const calls: unknown[] = []
  const through = (async (url: string, { method, body }: { method: string; body?: string }) => {
    calls.push([
      method,
      url.replace('http://control.test/control', ''),
      ...(body === undefined ? [] : [body]),
    ])
    return answer()
  }) as unknown as typeof fetch
  return { calls, through, perform: createControlClient(ADDRESS, { through }) }
}

test.each<[string, (perform: Perform) => Promise<unknown>, string[]]>([
  ['a path', (perform) => perform('getJob', { path: { id: 'a/b' } }), ['GET', '/jobs/a%2Fb']],
  [
    'a path and a body',
    (perform) => perform('moveObject', { path: { type: 'items', id: '7' }, body: { to: 'x' } }),
    ['POST', '/objects/items/7/transitions', '{"to":"x"}'],
  ],
  [
    'a query',
    (perform) => perform('listJobs', { query: { generation: 'callbacks', limit: 5 } }),
    ['GET', '/jobs?generation=callbacks&limit=5'],
  ],
])('createControlClient() sends %s', async (_, ask, call) => {
  const { calls, perform } = clientAnswered()

  await ask(perform)

  expect(calls).toEqual([call])
})

test.each([
  [422, true],
  [409, false],
])('a rejection with status %i keeps its code, its field and its hint', async (status, misused) => {
  const error = { code: 'not_found', message: 'Cannot find it', field: 'id', hint: 'look elsewhere' }
  const { perform } = clientAnswered(() => Response.json({ error }, { status }))

  const failure: unknown = await perform('getClock').catch((reason: unknown) => reason)

  expect(failure).toBeInstanceOf(RefusedError)
  expect(failure).toMatchObject({ ...error, misused })
})

test.each([
  ['rejects in another format', () => Response.json({ message: 'No' }, { status: 404 }), 'not_a_sandbox'],
  ['does not answer', () => Promise.reject(new TypeError('fetch failed')) as never, 'no_answer'],
  [
    'presents a certificate from another CA',
    () => {
      throw new TypeError('fetch failed', { cause: { code: 'SELF_SIGNED_CERT_IN_CHAIN' } })
    },
    'untrusted_certificate',
  ],
])('a call fails as unreachable when the server %s', async (_, answer, code) => {
  const { perform } = clientAnswered(answer)

  const failure: unknown = await perform('getClock').catch((reason: unknown) => reason)

  expect(failure).toBeInstanceOf(UnreachableError)
  expect(failure).toMatchObject({ code })
})

test.each(['', '.', '..'])('a call with the id "%s" is not sent', async (id) => {
  const { calls, perform } = clientAnswered()

  await expect(perform('removeFault', { path: { id } })).rejects.toMatchObject({ field: 'id', misused: true })

  expect(calls).toEqual([])
})

test('a remote sandbox returns the same replies as a sandbox in this process', async () => {
  const sandbox = await registeredSandbox()
  const through = ((url: string, init: RequestInit) =>
    sandbox.bench(new Request(url, init))) as unknown as typeof fetch
  const remote = createControlClient({ url: 'http://127.0.0.1:4011', token: 'bench-token' }, { through })
  const { id } = await remote('createObject', { path: { type: 'items' }, body: { amount: 1 } })

  const [here, there] = await Promise.all(
    [sandbox.perform, remote].map(async (perform) => [
      await perform('getObject', { path: { type: 'items', id } }),
      await perform('listJobs'),
      await perform('listJobs', { query: { status: 'failed' } }),
    ]),
  )

  expect(there).toEqual(here)
  expect(there).toMatchObject([{ id }, { jobs: [{ object_id: id }] }, { jobs: [] }])
})

test('a client of a past instant reads the past and rejects changes', async () => {
  const { calls, through } = clientAnswered()
  const perform = createControlClient(ADDRESS, { through, at: '2026-01-01T00:00:00.000Z' })

  await perform('listJobs', { query: { limit: 5 } })
  await perform('getClock')

  await expect(perform('resetSandbox')).rejects.toThrow(RefusedError)
  await expect(perform('setClock', { body: { mode: 'manual' } })).rejects.toThrow('the past is read-only')
  expect(calls).toEqual([
    ['GET', '/jobs?limit=5&at=2026-01-01T00%3A00%3A00.000Z'],
    ['GET', '/clock'],
  ])
})

async function serve(listener: RequestListener): Promise<string> {
  const { origin, close } = await serveHttp(listener)
  onTestFinished(close)
  return origin
}

const GET = { method: 'GET', headers: {} }

const failureOf = async (call: Promise<unknown>, url: string) =>
  explainNoAnswer(await call.catch((error: unknown) => error), url).code

test('callHttp() fails with the error code of the connection when the response is incomplete', async () => {
  const cut = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 9 })
    response.write('{', () => response.destroy())
  })
  const silent = await serve((request) => request.destroy())

  expect(await failureOf(callHttp(cut, GET), cut)).toBe('ECONNRESET')
  expect(await failureOf(callHttp(silent, GET), silent)).toBe('ECONNRESET')
  expect(await failureOf(callHttp('http://127.0.0.1:1/', GET), 'http://127.0.0.1:1/')).toBe('ECONNREFUSED')
})

test('a call ends after its timeout or when the caller aborts the call', async () => {
  const url = await serve(() => {})

  expect(await failureOf(createHttpCall({ idleMs: 1 })(url, GET), url)).toBe('ETIMEDOUT')
  expect(await failureOf(callHttp(url, { ...GET, signal: AbortSignal.timeout(1) }), url)).toBe('ETIMEDOUT')
})

/** Returns an error as thrown by `fetch`, with `code` in its cause. */
function fetchError(code: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('below'), { code }) })
}

test.each([
  ['ECONNREFUSED', 'nothing listens on platform.test:3000 (ECONNREFUSED)'],
  ['ENOTFOUND', 'unknown host "platform.test" (ENOTFOUND)'],
  ['ECONNRESET', 'platform.test:3000 reset the connection (ECONNRESET)'],
])('explainNoAnswer() explains %s and names host and port', (code, reason) => {
  expect(explainNoAnswer(fetchError(code), 'http://platform.test:3000/a/b')).toEqual({
    code,
    isUntrusted: false,
    reason,
  })
})
