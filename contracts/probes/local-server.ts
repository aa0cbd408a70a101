import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on loopback, until it is closed. */
export interface LocalServer {
  readonly origin: string
  close(): Promise<void>
}

/** 0 takes any free port. Throws RangeError with the remedy if the port is taken. */
export async function listen(server: Server, port: number): Promise<LocalServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) =>
      reject(new RangeError(`Cannot listen on port ${port}: ${message}; give another one, or 0 for any`)),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  const { port: bound } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
