import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below the ports that systems give out, so that a free port stays free for a moment. */
const FIRST_PORT = 15_000
const BLOCK = 50
const BLOCKS = 340

/** This process holds the first port of a block, so the rest of the block is its own. */
let block = process.pid % BLOCKS
const left: number[] = []

/**
 * Ports for programs that must keep theirs, also while they are stopped: no other process that asks for some here is given
 * one of them, and none tries one of them either, which would hold it for a moment.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    if (left.length === 0) await takeBlock()
    const port = left.shift()
    // It may be another program's all the same.
    if (port !== undefined && (await isFree(port))) ports.push(port)
  }
  return ports
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

async function takeBlock(): Promise<void> {
  for (let tried = 0; tried < BLOCKS; tried += 1) {
    const first = FIRST_PORT + block * BLOCK
    block = (block + 1) % BLOCKS
    const holder = await hold(first)
    if (!holder) continue
    holder.unref()
    left.push(...Array.from({ length: BLOCK - 1 }, (_, index) => first + 1 + index))
    return
  }
  throw new Error(`Every ${BLOCK}th port from ${FIRST_PORT} on is in use`)
}

async function isFree(port: number): Promise<boolean> {
  const holder = await hold(port)
  if (!holder) return false
  await once(holder.close(), 'close')
  return true
}

async function hold(port: number): Promise<Server | undefined> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return server
  } catch {
    return undefined
  }
}
