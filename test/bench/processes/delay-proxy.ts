import { connect, createServer, type Socket } from 'node:net'
import { answerAsks } from './answer-asks.ts'

/** What lies between a node and its database, and keeps each answer of the database back for so long. */
export type ProxyAsk =
  { readonly do: 'open'; readonly port: number } | { readonly do: 'delay'; readonly ms: number }

let delayMs = 0
let target = 0
const waits = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

/** A timer of Node knows whole milliseconds only, and is up to one late; a wait of the thread is exact. */
const EXACT_MS = 3

function pass(bytes: Buffer, to: Socket, dueAt: number): void {
  const leftMs = dueAt - performance.now()
  if (leftMs > EXACT_MS) {
    setTimeout(pass, leftMs - EXACT_MS + 1, bytes, to, dueAt)
    return
  }
  // One statement is under way at a time, so that nobody else waits here.
  if (leftMs > 0) Atomics.wait(waits, 0, 0, leftMs)
  if (to.writable) to.write(bytes)
}

function join(from: Socket, to: Socket, onData: (bytes: Buffer) => void): void {
  from.setNoDelay(true)
  from.on('data', onData)
  from.on('error', () => {})
  from.on('close', () => to.destroy())
}

const server = createServer((near) => {
  const far = connect(target, '127.0.0.1')
  join(near, far, (bytes) => void (far.writable && far.write(bytes)))
  join(far, near, (bytes) => pass(bytes, near, performance.now() + delayMs))
})

server.listen(0, '127.0.0.1', () =>
  answerAsks((ask: ProxyAsk) => {
    if (ask.do === 'delay') delayMs = ask.ms
    else target = ask.port
    const address = server.address()
    return { port: typeof address === 'object' ? address?.port : 0 }
  }),
)
