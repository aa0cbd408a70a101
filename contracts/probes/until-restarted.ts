import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 50

/** Resolves when nothing listened at the URL's host and port for a moment, and something listens there again. */
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
