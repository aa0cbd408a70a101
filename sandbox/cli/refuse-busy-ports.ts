import { busyPorts } from '../adapters/busy-ports.ts'
import { ListenError } from '../adapters/node-server.ts'

/** A port that is to be listened on, and the flag that chooses it. */
export interface WantedPort {
  readonly port: number
  readonly flag: string
}

/** Tells of all ports that are taken at once. Throws ListenError with the remedy. */
export async function refuseBusyPorts(wanted: readonly WantedPort[]): Promise<void> {
  const busy = await busyPorts(wanted.map(({ port }) => port))
  const taken = wanted.filter(({ port }) => busy.includes(port))
  if (taken.length === 0) return
  const list = new Intl.ListFormat('en-GB')
  const ports = list.format(taken.map(({ port }) => String(port)))
  const flags = list.format(taken.map(({ flag }) => flag))
  throw new ListenError(
    taken.length === 1
      ? `Cannot listen on port ${ports}: it is in use; choose another with ${flags} (0 takes any free one)`
      : `Cannot listen on ports ${ports}: they are in use; choose others with ${flags} (0 takes any free one)`,
  )
}
