import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Perform } from '../../sandbox/internal.ts'

const GRACE_MS = 5_000

/** Performs requests until `close()` is called. The promise of a later request never settles. */
export function untilClosed(perform: Perform) {
  const underWay = new Set<Promise<unknown>>()
  let isOpen = true
  const performWhileOpen: Perform = (id, ...input) => {
    if (!isOpen) return new Promise(() => {})
    const answer = perform(id, ...input)
    const forget = () => void underWay.delete(answer)
    underWay.add(answer)
    answer.then(forget, forget)
    return answer
  }
  return {
    perform: performWhileOpen,
    /** Waits for the requests in flight. Does not start new requests. */
    async close() {
      isOpen = false
      await Promise.race([Promise.allSettled(underWay), pause(GRACE_MS, undefined, { ref: false })])
    },
  }
}

const POLL_MS = 50

/** Waits until the server at the URL stops listening, and then until it listens again. */
export async function untilRestarted(url: string, isListening = canConnect): Promise<void> {
  while (await isListening(url)) await pause(POLL_MS)
  while (!(await isListening(url))) await pause(POLL_MS)
}

export function canConnect(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const place = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) }
  return new Promise((resolve) => {
    const socket = net.connect(place)
    const end = (isThere: boolean) => () => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', end(true)).once('error', end(false))
  })
}
