import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStoredSandbox, type StoredSandbox } from '../support/stored-sandbox.ts'

let sandbox: StoredSandbox

beforeAll(async () => {
  sandbox = await openStoredSandbox()
})

afterAll(() => sandbox.close())

/** Sends a request with exactly these headers and returns its status. HOST stands for the listener's own. */
function statusOf(url: string, headers: readonly string[], method = 'GET'): Promise<number | undefined> {
  const { port, host } = new URL(url)
  const sent = headers.map((value) => value.replaceAll('HOST', host).replaceAll('PORT', port))
  return new Promise((resolve, reject) => {
    const call = request({
      host: '127.0.0.1',
      port,
      path: '/control/health',
      method,
      headers: sent,
      setHost: false,
    })
    call.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    call.on('error', reject)
    call.end()
  })
}

test.each([
  ['its own address', ['Host', 'HOST'], 200],
  ['localhost', ['Host', 'localhost:PORT'], 200],
  ['its own origin', ['Host', 'HOST', 'Origin', 'http://HOST'], 200],
  ['a same-origin fetch', ['Host', 'HOST', 'Sec-Fetch-Site', 'same-origin'], 200],
  ['another host name', ['Host', 'evil.test'], 403],
  ['another host name with the port', ['Host', 'evil.test:PORT'], 403],
  ['its name without the port', ['Host', 'localhost'], 403],
  ['two Host headers', ['Host', 'HOST', 'Host', 'evil.test'], 400],
  ['no Host header', [], 400],
  ['another origin', ['Host', 'HOST', 'Origin', 'https://evil.test'], 403],
  ['its origin over https', ['Host', 'HOST', 'Origin', 'https://HOST'], 403],
  ['the null origin', ['Host', 'HOST', 'Origin', 'null'], 403],
  ['a cross-site page', ['Host', 'HOST', 'Sec-Fetch-Site', 'cross-site'], 403],
  ["a delivery of the sandbox's own", ['Host', 'HOST', 'User-Agent', 'Hookbench-Delivery/0.1'], 403],
])('the control API answers a request with %s with the right status', async (_, headers, status) => {
  expect(await statusOf(sandbox.benchUrl, headers)).toBe(status)
})

test('no response is readable from another origin', async () => {
  const answer = await fetch(`${sandbox.benchUrl}/control/health`)
  const preflight = await fetch(`${sandbox.benchUrl}/control/health`, { method: 'OPTIONS' })

  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  expect(preflight.status).toBe(403)
})

test('an endless body is rejected, and its connection cut', async () => {
  const { port, host } = new URL(sandbox.serviceUrl)
  const socket = connect(Number(port), '127.0.0.1')
  const head = `POST /tokens HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  const piece = `10000\r\n${' '.repeat(65_536)}\r\n`
  const send = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  let answer = ''
  socket.on('data', (data) => (answer += data.toString()))
  socket.on('drain', send)
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))

  socket.write(head)
  send()
  await closed

  expect(answer).toMatch(/^HTTP\/1.1 413 /)
})

test('a sandbox without its port leaves nothing open', async () => {
  const { port } = new URL(sandbox.serviceUrl)

  const second = openStoredSandbox({ port: Number(port) })

  await expect(second).rejects.toThrow(
    `Cannot listen on port ${port}: it is in use. Choose another with --port`,
  )
})
