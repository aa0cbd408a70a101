import { isIPv6 } from 'node:net'

/** An address where other machines can reach a listener, only over HTTPS. */
export interface ListenPlace {
  /** A local address. `0.0.0.0` and `::` mean all addresses of this machine. */
  readonly address: string
  /** The names for other machines, as `name` or `name:port`. The first name appears in the URLs of the sandbox. */
  readonly allowedHosts: readonly string[]
}

export const LOOPBACK = '127.0.0.1'

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]']

interface ListenerNames {
  readonly own: string
  readonly public: string
  /** All accepted Host headers. */
  readonly all: readonly string[]
}

export function listenerNames(place: ListenPlace | undefined, port: number): ListenerNames {
  const own = ownNames(place).map((name) => withPort(name, port))
  const given = place?.allowedHosts.map((host) => withPort(host, port)) ?? []
  const [first = `${LOOPBACK}:${port}`] = own
  return {
    own: first,
    public: given[0] ?? first,
    all: [...new Set([...own, ...given].flatMap((name) => (place ? withoutDefaultPort(name) : [name])))],
  }
}

/** Returns the names and addresses for the certificate of a listener. */
export function certificateHosts(place: ListenPlace | undefined): readonly string[] {
  const given = place?.allowedHosts.map((host) => host.replace(/:\d+$/, '')) ?? []
  return [...new Set([...ownNames(place), ...given])]
}

/** Returns the names of this machine. A listener on one address does not answer on loopback. */
function ownNames(place: ListenPlace | undefined): readonly string[] {
  if (!place || place.address === '0.0.0.0') return OWN_NAMES
  if (place.address === '::') return OWN_NAMES.toReversed()
  return [isIPv6(place.address) ? `[${place.address}]` : place.address]
}

function withPort(host: string, port: number): string {
  return /:\d+$/.test(host) ? host : `${host}:${port}`
}

/** Adds the name without the default port, because HTTPS clients omit this port. */
function withoutDefaultPort(name: string): readonly string[] {
  return name.endsWith(':443') ? [name, name.slice(0, -':443'.length)] : [name]
}
