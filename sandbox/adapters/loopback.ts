import { createServer } from 'node:net'
import { platform } from 'node:os'
import { LOOPBACK } from './listen-place.ts'

interface Place {
  readonly port: number
  /** That of loopback if left out. */
  readonly address?: string | undefined
}

/** Those that cannot be listened on now; a port 0, which takes any free one, never is one of them. */
export async function findBusyPlaces<Wanted extends Place>(
  wanted: readonly Wanted[],
): Promise<readonly Wanted[]> {
  const busy = await Promise.all(wanted.map(async (place) => place.port !== 0 && (await isBusy(place))))
  return wanted.filter((_, index) => busy[index])
}

/** An address that cannot be listened on at all says nothing about its ports. */
const NO_ADDRESS: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

function isBusy({ port, address = LOOPBACK }: Place): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(!NO_ADDRESS.has(Reflect.get(error, 'code'))))
    server.listen(port, address, () => server.close(() => resolve(false)))
  })
}

/** Whether every address of 127.0.0.0/8 can be sent from without any set-up. */
export const hasEveryLoopbackAddress = platform() === 'linux'
