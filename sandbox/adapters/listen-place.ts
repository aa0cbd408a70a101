import { isIPv6, isIP } from 'node:net'

/** An address at which other machines can reach a listener. Such a listener accepts only HTTPS. */
export interface ListenPlace {
  /** A local address. `0.0.0.0` and `::` mean all addresses of this machine. */
  readonly address: string
  /** The host names that other machines use, as `name` or `name:port`. The first name appears in the URLs of the sandbox. */
  readonly allowedHosts: readonly string[]
}

export const LOOPBACK = '127.0.0.1'

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]']

interface ListenerNames {
  readonly own: string
  readonly public: string
  /** All Host headers that the listener accepts. */
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

export function certificateHosts(place: ListenPlace | undefined): readonly string[] {
  const given = place?.allowedHosts.map((host) => host.replace(/:\d+$/, '')) ?? []
  return [...new Set([...ownNames(place), ...given])]
}

/** Returns the names of this machine. Omits loopback names for a listener on a specific address. */
function ownNames(place: ListenPlace | undefined): readonly string[] {
  if (!place || place.address === '0.0.0.0') return OWN_NAMES
  if (place.address === '::') return OWN_NAMES.toReversed()
  return [isIPv6(place.address) ? `[${place.address}]` : place.address]
}

function withPort(host: string, port: number): string {
  return /:\d+$/.test(host) ? host : `${host}:${port}`
}

/** Returns the name, and also the name without the default port, because HTTPS clients omit this port. */
function withoutDefaultPort(name: string): readonly string[] {
  return name.endsWith(':443') ? [name, name.slice(0, -':443'.length)] : [name]
}

/** Normalizes an IP address. Converts IPv4-mapped IPv6 addresses to IPv4. Returns undefined for an address with an IPv6 zone. */
export function parseAddress(text: string): string | undefined {
  const bare = withoutBrackets(text)
  if (isIP(bare) === 4) return bare
  if (isIP(bare) !== 6) return undefined
  const canonical = canonicalHost(`[${bare}]`)
  return canonical && withoutMapping(withoutBrackets(canonical))
}

/** Returns the IPv4 address in an IPv4-mapped address. `URL` writes this address as `::ffff:a00:5`, for example. */
function withoutMapping(address: string): string {
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address) ?? []
  if (high === undefined || low === undefined) return address
  const bits = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return bits.flatMap((each) => [each >> 8, each & 0xff]).join('.')
}

/** Returns `name` or `name:port` as in a Host header. Returns undefined if the text does not name exactly one machine. */
export function parseHost(text: string): string | undefined {
  const bracketed = isIP(text) === 6 ? `[${text}]` : text
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(bracketed) ?? []
  const name = canonicalHost(host)
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535)
  if (name === undefined || !isPort || !isCallable(name)) return undefined
  return port === undefined ? name : `${name}:${Number(port)}`
}

function canonicalHost(host: string): string | undefined {
  if (!/^(\[[\da-f:.]+\]|[^\s/?#@\\:%[\]]+)$/i.test(host)) return undefined
  const parsed = URL.parse(`https://${host}`)?.hostname
  // Rejects an IPv4 notation such as `0x7f.1`, because Host headers never contain it.
  return parsed !== undefined && isIP(parsed) === 4 && parsed !== host ? undefined : parsed
}

const LABEL = '[a-z\\d_]([\\w-]*[a-z\\d_])?'
const NAME = new RegExp(`^${LABEL}(\\.${LABEL})*$`)

function isCallable(name: string): boolean {
  const bare = withoutMapping(withoutBrackets(name))
  if (isIP(bare) !== 0) return bare !== '0.0.0.0' && bare !== '::'
  return name.length <= 253 && NAME.test(name)
}

function withoutBrackets(text: string): string {
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
}
