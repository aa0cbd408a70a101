import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** The lowest port. The ports that operating systems assign automatically are higher. */
const FIRST_PORT = 15_000
const BLOCK = 50
const BLOCKS = 340

/** The block of ports. This process reserves the block by listening on the block's first port. */
let block = process.pid % BLOCKS
const left: number[] = []

/** Returns ports that no other test process gets, even if nothing is listening on them. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    if (left.length === 0) await takeBlock()
    const port = left.shift()
    // A program outside the tests may use the port.
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
