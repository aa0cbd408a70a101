import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** What lies between a node and its database, and does as a test says. */
export interface TcpProxy {
  readonly port: number
  /** How long each piece takes, each way. */
  delayMs: number
  /** Cuts all connections that there are. */
  cut(): void
  /** From now on it refuses connections, and cuts those that there are; `open` ends that. */
  refuse(): void
  /** From now on what the server says is lost; what it is told arrives. `open` ends that, for new connections. */
  swallow(): void
  /** From now on nothing arrives, either way; `open` ends that, for new connections. */
  hold(): void
  open(): void
  close(): Promise<void>
}

type Mode = 'open' | 'refuse' | 'swallow' | 'hold'

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let mode: Mode = 'open'
  const server = createServer((near) => {
    if (mode === 'refuse') {
      near.resetAndDestroy()
      return
    }
    const far = connect(targetPort, '127.0.0.1')
    far.setNoDelay(true)
    near.setNoDelay(true)
    // A connection stays as it became: what was lost on it does not come later.
    let isLost = false
    join(near, far, () => mode !== 'hold' && !isLost)
    join(far, near, () => {
      isLost ||= mode === 'swallow' || mode === 'hold'
      return !isLost
    })
  })

  function join(from: Socket, to: Socket, passes: () => boolean): void {
    sockets.add(from)
    from.on('data', (bytes) => {
      const pass = () => passes() && to.writable && to.write(bytes)
      if (proxy.delayMs > 0) setTimeout(pass, proxy.delayMs)
      else pass()
    })
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }

  const proxy: TcpProxy = {
    port: 0,
    delayMs: 0,
    cut() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    refuse() {
      mode = 'refuse'
      proxy.cut()
    },
    swallow() {
      mode = 'swallow'
    },
    hold() {
      mode = 'hold'
    },
    open() {
      mode = 'open'
    },
    async close() {
      proxy.cut()
      server.close()
      await once(server, 'close')
    },
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The proxy has no port')
  return Object.assign(proxy, { port: address.port })
}
