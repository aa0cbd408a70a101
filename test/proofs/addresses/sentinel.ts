import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** A listener on every address of this machine, on a port to which nothing may be sent. */
export interface Sentinel {
  readonly port: number
  /** How many connections have come. */
  count(): number
  close(): void
}

export async function openSentinel(): Promise<Sentinel> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined).destroy()
  })
  // Of both families where there is IPv6.
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, count: () => connections, close: () => server.close() }
}
