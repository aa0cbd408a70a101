import { createServer } from 'node:net'
import { platform } from 'node:os'

/** Those of the ports that cannot be listened on now; 0, which takes any free one, never is one of them. */
export async function findBusyPorts(ports: readonly number[]): Promise<readonly number[]> {
  const busy = await Promise.all(ports.map(async (port) => port !== 0 && (await isBusy(port))))
  return ports.filter((_, index) => busy[index])
}

function isBusy(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(true))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)))
  })
}

/** Whether every address of 127.0.0.0/8 can be sent from without any set-up. */
export const hasEveryLoopbackAddress = platform() === 'linux'
