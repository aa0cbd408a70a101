import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openProcessShop } from './process-shop.ts'
import { startWalk } from '../support/walk.ts'

function openSocket(port: number, written: string) {
  const socket = connect(port, '127.0.0.1')
  const received = { text: '', isClosed: false }
  socket.on('data', (chunk: Buffer) => (received.text += chunk.toString()))
  socket.on('error', () => {})
  socket.on('close', () => (received.isClosed = true))
  socket.write(written)
  return { socket, received }
}

function destroyAfter(sockets: readonly Socket[]): void {
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
}

test('of 1,500 connections the first 1,000 are served, and the rest are closed', async () => {
  const walk = await startWalk()
  onTestFinished(() => walk.close())
  const { port } = new URL(walk.sandbox.serviceUrl)
  await walk.bench('POST', '/faults', { on: 'api', kind: 'hang', match: { path: '/items/x' } })
  const call = `GET /items/x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  const calls = Array.from({ length: 1_500 }, () => openSocket(Number(port), call))
  destroyAfter(calls.map(({ socket }) => socket))
  const select = (isClosed: boolean) => calls.filter(({ received }) => received.isClosed === isClosed)
  await expect.poll(() => select(true).length).toBe(500)
  expect(select(true).filter(({ received }) => received.text !== '')).toEqual([])

  await expect.poll(async () => (await walk.bench('GET', '/faults')).body.faults[0].applied).toBe(1_000)
  expect(select(false).length).toBe(1_000)
})

function memoryMb(pid: number | undefined): number {
  const [, kB = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kB) / 1_024
}

test.skipIf(process.platform !== 'linux')(
  'event readers that never read or keep reconnecting cost little and block no delivery',
  async () => {
    const shop = openProcessShop()
    onTestFinished(() => shop.close())
    const up = await shop.up()
    const receiver = await shop.receiver()
    await shop.register(receiver.url)
    await shop.create(100)
    await shop.settle()
    const { port } = new URL(String(up.ready['bench_url']))
    const token = readFileSync(join(shop.folder, '.hookbench', 'token'), 'utf8').trim()
    const head = `GET /control/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`
    const before = memoryMb(up.pid)

    const readers = Array.from({ length: 300 }, () =>
      openSocket(Number(port), `${head}Last-Event-ID: 0\r\n\r\n`),
    )
    destroyAfter(readers.map(({ socket }) => socket))
    await expect.poll(() => readers.filter(({ received }) => received.text !== '').length).toBe(300)
    for (const { socket } of readers) socket.pause()
    await shop.create(100)
    await shop.settle()
    const after = memoryMb(up.pid)

    expect(new Set(receiver.received).size).toBe(201)
    expect(after - before).toBeLessThan(200)
  },
)
