import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { duringTest } from '../support/lifetimes.ts'
import { startWalk, type Walk } from '../support/walk.ts'

interface Connection {
  readonly socket: Socket
  text: string
  isClosed: boolean
}

function openConnections(url: string, count: number, written: (index: number) => string): Connection[] {
  const { port, host } = new URL(url)
  const connections = Array.from({ length: count }, (_, index) => {
    const connection: Connection = { socket: connect(Number(port), '127.0.0.1'), text: '', isClosed: false }
    connection.socket.on('data', (data: Buffer) => (connection.text += data.toString()))
    connection.socket.on('error', () => {})
    connection.socket.on('close', () => (connection.isClosed = true))
    connection.socket.write(written(index).replaceAll('HOST', host))
    return connection
  })
  onTestFinished(() => {
    for (const { socket } of connections) socket.destroy()
  })
  return connections
}

async function openWalk(): Promise<Walk> {
  const walk = await duringTest(startWalk())
  const url = walk.urlFor('webhooks', 'items')
  expect((await walk.service('POST', '/webhooks', { url, object_type: 'items' })).status).toBe(201)
  return walk
}

async function deliverOne(walk: Walk): Promise<string> {
  const before = walk.received.length
  const { status, body } = await walk.bench('POST', '/objects/items', {})
  expect(status).toBe(201)
  await walk.sandbox.idle()
  expect(walk.received.length).toBe(before + 1)
  return body.id
}

test('500 slow clients at each listener block no other call and no delivery', async () => {
  const walk = await openWalk()
  const begun = 'GET /items/x HTTP/1.1\r\nHost: HOST\r\nX-Slow: '
  const slow = [walk.sandbox.serviceUrl, walk.sandbox.benchUrl].flatMap((url) =>
    openConnections(url, 500, () => begun),
  )
  await Promise.all(slow.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))))

  for (const { socket } of slow) socket.write('a')
  await deliverOne(walk)
  for (const { socket } of slow) socket.write('b')
  await deliverOne(walk)

  expect((await walk.service('GET', '/webhooks')).status).toBe(200)
})

// A reader that reconnects counts twice while the server still counts the reader's old connection. The server's limit is high
// enough for twice this number of readers.
const READERS = 450

test('450 event readers receive every change, including changes between disconnect and reconnect', async () => {
  const walk = await openWalk()
  const head = 'GET /control/events HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer a-token-of-the-run\r\n'
  const follow = (lastId: (index: number) => string) =>
    openConnections(
      walk.sandbox.benchUrl,
      READERS,
      (index) => `${head}Last-Event-ID: ${lastId(index)}\r\n\r\n`,
    )
  const readBy = (connections: readonly Connection[], id: string) =>
    expect.poll(() => connections.filter(({ text }) => text.includes(id)).length).toBe(READERS)

  const first = follow(() => '0')
  await readBy(first, await deliverOne(walk))
  const lastIds = first.map(({ text }) => /.*^id: ?(\S+)/ms.exec(text)?.[1] ?? '')
  for (const { socket } of first) socket.destroy()
  const missed = await deliverOne(walk)
  const second = follow((index) => lastIds[index] ?? '')
  await readBy(second, missed)
  await readBy(second, await deliverOne(walk))

  expect(second.filter(({ isClosed }) => isClosed)).toEqual([])
})
