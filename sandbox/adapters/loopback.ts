import { createServer } from 'node:net'
import { platform } from 'node:os'
import { LOOPBACK } from './listen-place.ts'

interface ListenAddress {
  readonly port: number
  /** The address to listen on. Defaults to loopback. */
  readonly address?: string | undefined
}

/** Returns the addresses whose port is in use. Port 0 never counts as in use, because it selects any free port. */
export async function findBusyPorts<Wanted extends ListenAddress>(
  wanted: readonly Wanted[],
): Promise<readonly Wanted[]> {
  const busy = await Promise.all(wanted.map(async (place) => place.port !== 0 && (await isBusy(place))))
  return wanted.filter((_, index) => busy[index])
}

/** The error codes for an unusable address. These codes do not mean that the port is in use. */
const NO_ADDRESS: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

function isBusy({ port, address = LOOPBACK }: ListenAddress): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(!NO_ADDRESS.has(Reflect.get(error, 'code'))))
    server.listen(port, address, () => server.close(() => resolve(false)))
  })
}

/** True if every address in 127.0.0.0/8 works as a source address without setup. */
export const hasEveryLoopbackAddress = platform() === 'linux'
