import { once } from 'node:events'
import { expect, test } from 'vitest'
import { testAuthority } from '../support/certificates.ts'
import { onRequest, type Serve } from '../support/scripted-server.ts'
import { DEADLINE_MS, message, openTransport, summary, tlsServer } from '../support/transport.ts'

const root = await testAuthority()
const certificate = await root.issue()
const answering = (...answer: Parameters<typeof onRequest>) => tlsServer(certificate, onRequest(...answer))

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const answer: Serve = onRequest((socket) => socket.write(OK))

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

test('post() reuses an open connection', async () => {
  const server = await tlsServer(certificate, answer)
  const transport = openTransport(root.pem)

  for (const _ of times(200)) await transport.post(message(server.url), 5_000)

  expect(server.accepted.length).toBe(1)
})

test('post() opens a limited number of connections per origin', async () => {
  const server = await tlsServer(certificate, answer)
  const transport = openTransport(root.pem, { connectionsPerOrigin: 3 })

  const exchanges = await Promise.all(times(50).map(() => transport.post(message(server.url), 5_000)))

  expect([new Set(exchanges.map(summary)), server.accepted.length]).toEqual([new Set(['200']), 3])
})

test('post() resends a message at most once', async () => {
  let connections = 0
  const server = await tlsServer(certificate, (socket, reset) => {
    connections += 1
    const isFirst = connections === 1
    onRequest((next, { number }) => (isFirst && number === 1 ? next.write(OK) : next.end()))(socket, reset)
  })
  const transport = openTransport(root.pem)
  await transport.post(message(server.url), 5_000)

  const exchange = await transport.post(message(server.url), 5_000)

  expect([summary(exchange), connections]).toEqual(['closed_without_response connection_retried', 2])
})

test('post() does not send a message again after the response has begun', async () => {
  const server = await answering((socket, { number }) =>
    number === 1 ? socket.write(OK) : socket.end('HTTP/1.1 2'),
  )
  const transport = openTransport(root.pem)
  await transport.post(message(server.url), 5_000)

  expect(summary(await transport.post(message(server.url), 5_000))).toBe('closed_without_response')
})

test('post() reports when all connections are busy', async () => {
  const reached = Promise.withResolvers<void>()
  const server = await answering(() => reached.resolve())
  const transport = openTransport(root.pem, { connectionsPerOrigin: 1 })
  const hanging = transport.post(message(server.url), 60_000)
  await reached.promise

  const exchange = await transport.post(message(server.url), DEADLINE_MS)

  await transport.close()
  expect([summary(exchange), summary(await hanging)]).toEqual(['out_of_resources', 'interrupted'])
})

test('post() sends the next request when the previous request hangs until its deadline', async () => {
  const server = await answering((socket, { text }) => text.includes('answer me') && socket.write(OK))
  const transport = openTransport(root.pem, { connectionsPerOrigin: 1 })

  const exchanges = await Promise.all([
    transport.post(message(server.url), DEADLINE_MS),
    transport.post(message(server.url, Buffer.from('answer me')), 60_000),
  ])

  // On a busy machine, the deadline may pass before the connection is open.
  expect(exchanges.map(summary)).toEqual([expect.stringMatching(/_timeout$/), '200'])
})

test('post() ends each request at its own deadline and not earlier', async () => {
  const server = await answering(() => undefined)
  const transport = openTransport(root.pem)
  const ended: number[] = []

  const early = await Promise.all(
    [300, 100, 200].map(async (ms) => {
      const { timings } = await transport.post(message(server.url), ms)
      ended.push(ms)
      return timings.totalMs < ms - 1
    }),
  )

  expect([ended, early]).toEqual([
    [100, 200, 300],
    [false, false, false],
  ])
})

test('close() interrupts requests in flight', async () => {
  const reached = Promise.withResolvers<void>()
  const server = await answering(() => reached.resolve())
  const transport = openTransport(root.pem, { connectionsPerOrigin: 1 })
  const pending = [transport.post(message(server.url), 60_000), transport.post(message(server.url), 60_000)]
  await reached.promise

  await transport.close()

  const late = await transport.post(message(server.url), 60_000)
  expect([...(await Promise.all(pending)), late].map(summary)).toEqual(Array(3).fill('interrupted'))
})

test('close() closes idle connections', async () => {
  const server = await tlsServer(certificate, answer)
  const transport = openTransport(root.pem)
  await Promise.all(times(5).map(() => transport.post(message(server.url), 5_000)))
  const closed = server.accepted.map((socket) => once(socket, 'close'))

  await transport.close()

  expect((await Promise.all(closed)).length).toBe(5)
})
