import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createPassOn, NobodyThereError } from '../../../sandbox/adapters/pass-on.ts'
import type { HttpRequest, HttpResponse } from '../../../sandbox/engine/core/http.ts'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Given {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

function requestOf({ method = 'GET', headers = {}, body }: Given): HttpRequest {
  return {
    method,
    path: '/users',
    query: '?limit=1',
    header: (name) => headers[name],
    headers: () => Object.entries(headers),
    readBody: async () => {},
    async *bodyPieces() {
      if (body !== undefined) yield Buffer.from(body)
    },
    signal: () => new AbortController().signal,
  }
}

async function send(url: string, given: Given = {}): Promise<HttpResponse> {
  const passOn = createPassOn()
  onTestFinished(() => passOn.close())
  const upstream = { url, caPem: '', headers: { 'hookbench-passed-on': 'one' } }
  return passOn.send(requestOf(given), upstream, new AbortController().signal)
}

test('method, path, query, headers and body arrive as they came', async () => {
  const url = await serve((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const given = { own: headers['hookbench-passed-on'], 'x-one': headers['x-one'] }
    void text(incoming).then((body) => outgoing.end(JSON.stringify({ method, path, given, body })))
  })
  const calls: readonly Given[] = [
    { headers: { 'x-one': '1' } },
    { method: 'POST', headers: { 'content-length': '5' }, body: 'hello' },
    { method: 'PUT', body: 'of unknown length' },
    { method: 'GET', headers: { 'content-length': '2' }, body: '{}' },
  ]

  for (const call of calls) {
    const { body } = await send(url, call)
    expect(JSON.parse(await new Response(body).text())).toEqual({
      method: call.method ?? 'GET',
      path: '/users?limit=1',
      given: { own: 'one', ...(call.headers?.['x-one'] && { 'x-one': '1' }) },
      body: call.body ?? '',
    })
  }
})

const TEXT = JSON.stringify({ first_name: 'Zoë 💸' })

test.each([
  ['a small one', TEXT],
  ['a large one', JSON.stringify({ text: TEXT.repeat(5_000) })],
])('an answer of JSON comes back as it was: %s', async (_, sent) => {
  const length = String(Buffer.byteLength(sent))
  const headers = { 'content-type': 'application/json', 'content-length': length }
  const url = await serve((_incoming, outgoing) => outgoing.writeHead(201, headers).end(sent))

  const response = await send(url)

  expect(response).toMatchObject({ status: 201, headers })
  expect(await new Response(response.body).text()).toBe(sent)
})

test('what is answered to HEAD has its headers and no body', async () => {
  const headers = { 'content-type': 'application/json', 'content-length': '9' }
  const url = await serve((_, outgoing) => outgoing.writeHead(200, headers).end())

  const response = await send(url, { method: 'HEAD' })

  expect(response).toMatchObject({ status: 200, headers })
  expect(await new Response(response.body).text()).toBe('')
})

test('a small answer that breaks off cuts the caller off', async () => {
  const url = await serve((_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    outgoing.write('{"half":', () => outgoing.destroy())
  })

  expect(await send(url)).toEqual({ status: null, headers: {}, body: null })
})

test('no answer cuts the caller off, and nobody there says so', async () => {
  const url = await serve((_, outgoing) => void outgoing.destroy())
  expect(await send(url)).toEqual({ status: null, headers: {}, body: null })

  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  await expect(send(`http://127.0.0.1:${port}`)).rejects.toThrow(NobodyThereError)
})
