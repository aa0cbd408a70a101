import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { callHttp, createHttpCall, createStreamCall } from '../../../sandbox/client/http-call.ts'
import { explainNoAnswer } from '../../../sandbox/client/no-answer.ts'

/** The address of a server that answers so until the test ends. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const GET = { method: 'GET', headers: {} }

const failureOf = async (call: Promise<unknown>, url: string) =>
  explainNoAnswer(await call.catch((error: unknown) => error), url).code

test('callHttp() sends what it is given and gives what is answered', async () => {
  const url = await serve((request, response) => {
    const { 'content-length': length, 'x-own': own } = request.headers
    const pieces: string[] = []
    request.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece))
    request.on('end', () =>
      response
        .writeHead(201)
        .end(JSON.stringify([request.method, request.url, own, length, pieces.join('')])),
    )
  })

  const answer = await callHttp(`${url}/a?b=c`, { method: 'POST', headers: { 'x-own': '1' }, body: '"ü"' })

  expect([answer.ok, answer.status, answer.url]).toEqual([true, 201, `${url}/a?b=c`])
  expect(await answer.json()).toEqual(['POST', '/a?b=c', '1', '4', '"ü"'])
})

test('callHttp() gives a refusal with its body', async () => {
  const url = await serve((_, response) => response.writeHead(404).end('{"error":{}}'))

  const answer = await callHttp(url, GET)

  expect([answer.ok, answer.status, await answer.json()]).toEqual([false, 404, { error: {} }])
})

test('callHttp() fails where no whole answer comes, by a code that can be explained', async () => {
  const cut = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 9 })
    response.write('{', () => response.destroy())
  })
  const silent = await serve((request) => request.destroy())

  expect(await failureOf(callHttp(cut, GET), cut)).toBe('ECONNRESET')
  expect(await failureOf(callHttp(silent, GET), silent)).toBe('ECONNRESET')
  expect(await failureOf(callHttp('http://127.0.0.1:1/', GET), 'http://127.0.0.1:1/')).toBe('ECONNREFUSED')
})

test('a call ends when its time is over, or its caller no longer waits', async () => {
  const url = await serve(() => {})

  expect(await failureOf(createHttpCall({ idleMs: 1 })(url, GET), url)).toBe('ETIMEDOUT')
  expect(await failureOf(callHttp(url, { ...GET, signal: AbortSignal.timeout(1) }), url)).toBe('ETIMEDOUT')
})

test('createStreamCall() gives the beginning of an answer that does not end', async () => {
  const url = await serve((_, response) => void response.writeHead(200).write('first'))

  const { body } = await createStreamCall({})(url, GET)
  const first: unknown[] = []
  for await (const chunk of body ?? []) {
    first.push(Buffer.from(chunk).toString())
    break
  }

  expect(first).toEqual(['first'])
})
