import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { sendRawRequest } from '../../../contracts/probes/raw-request.ts'
import { testAuthority } from '../../support/certificates.ts'
import { type ScriptedServer } from '../../support/scripted-server.ts'
import { tlsServer } from '../../support/transport.ts'

const root = await testAuthority()
const certificate = await root.issue()

async function listening(): Promise<ScriptedServer & { readonly texts: string[] }> {
  const texts: string[] = []
  const server = await tlsServer(certificate, (socket) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (!/0\r\n\r\n$|\}$/.test(text)) return
      texts.push(text)
      socket.end('HTTP/1.1 204 No Content\r\n\r\n')
    })
  })
  return { ...server, texts }
}

const POST = {
  method: 'POST',
  label: 'a notification',
  headers: { 'content-type': 'application/json' },
  body: '{"items":{"id":"ä"}}',
}

test('sendRawRequest() sends two chunks without a length and splits a character between the chunks', async () => {
  const { url, texts } = await listening()

  const { status } = await sendRawRequest({ ...POST, url, isChunked: true }, [root.pem])

  const [head = '', body] = texts[0]?.split(/\r\n\r\n(.*)/s) ?? []
  expect([status, /transfer-encoding: chunked/i.test(head), /content-length/i.test(head)]).toEqual([
    204,
    true,
    false,
  ])
  expect(body).toMatch(/^11\r\n\{"items":\{"id":"\ufffd\r\n4\r\n\ufffd"\}\}\r\n0\r\n\r\n$/)
})

test('sendRawRequest() sends from the specified source address', async () => {
  const { url, accepted } = await listening()

  const { status } = await sendRawRequest({ ...POST, url, from: '127.183.18.207' }, [root.pem])

  expect([status, accepted.map(({ remoteAddress }) => remoteAddress)]).toEqual([204, ['127.183.18.207']])
})

test.each<readonly [reason: string, what: string, answer: (socket: Socket) => void]>([
  ['header_timeout', 'the receiver stays silent', () => {}],
  [
    'protocol_error',
    'the response is not HTTP',
    (socket) => void socket.once('data', () => socket.end('OK\r\n\r\n')),
  ],
])('sendRawRequest() returns %s when %s', async (expected, _, answer) => {
  const { url } = await tlsServer(certificate, answer)

  const { status, reason } = await sendRawRequest({ ...POST, url, timeoutMs: 300 }, [root.pem])

  expect([status, reason]).toEqual([null, expected])
})
