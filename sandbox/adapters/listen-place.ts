import { isIPv6 } from 'node:net'

/** Where others can reach a listener, too. They do so over HTTPS only. */
export interface ListenPlace {
  /** An address of this machine; `0.0.0.0` and `::` are all that it has. */
  readonly address: string
  /** What others call it by, `name` or `name:port`; the first is what it calls itself. */
  readonly allowedHosts: readonly string[]
}

/** The only address that is listened on where nobody asks for another. */
export const LOOPBACK = '127.0.0.1'

/** What each listener on this machine answers to, beside its address. */
const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]']

/** What a listener is called. */
interface ListenerNames {
  /** By commands on this machine. */
  readonly own: string
  /** By others. */
  readonly public: string
  /** All that a Host header may say. */
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

/** The names and addresses for which its certificate is. */
export function certificateHosts(place: ListenPlace | undefined): readonly string[] {
  const given = place?.allowedHosts.map((host) => host.replace(/:\d+$/, '')) ?? []
  return [...new Set([...ownNames(place), ...given])]
}

/** Behind one address of several, nothing else answers, not even on loopback. */
function ownNames(place: ListenPlace | undefined): readonly string[] {
  if (!place || place.address === '0.0.0.0') return OWN_NAMES
  if (place.address === '::') return OWN_NAMES.toReversed()
  return [isIPv6(place.address) ? `[${place.address}]` : place.address]
}

function withPort(host: string, port: number): string {
  return /:\d+$/.test(host) ? host : `${host}:${port}`
}

/** HTTPS clients leave it out. */
function withoutDefaultPort(name: string): readonly string[] {
  return name.endsWith(':443') ? [name, name.slice(0, -':443'.length)] : [name]
}
