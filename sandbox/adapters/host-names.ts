import { isIP } from 'node:net'

/**
 * Returns a normalized IP address. Undefined for other text. Also undefined for an address with a zone, because no certificate
 * can name such an address. An IPv4-mapped IPv6 address becomes its IPv4 address: "::ffff:0.0.0.0" is every address of this
 * machine.
 */
export function parseAddress(text: string): string | undefined {
  const bare = withoutBrackets(text)
  if (isIP(bare) === 4) return bare
  if (isIP(bare) !== 6) return undefined
  const canonical = canonicalHost(`[${bare}]`)
  return canonical && withoutMapping(withoutBrackets(canonical))
}

/** Returns the IPv4 address inside an IPv6 address. A URL spells such an address `::ffff:a00:5`. */
function withoutMapping(address: string): string {
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address) ?? []
  if (high === undefined || low === undefined) return address
  const bits = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return bits.flatMap((each) => [each >> 8, each & 0xff]).join('.')
}

/** Returns `name` or `name:port` as in a Host header. Returns undefined for text that names no single machine. */
export function parseHost(text: string): string | undefined {
  const bracketed = isIP(text) === 6 ? `[${text}]` : text
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(bracketed) ?? []
  const name = canonicalHost(host)
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535)
  if (name === undefined || !isPort || !isCallable(name)) return undefined
  return port === undefined ? name : `${name}:${Number(port)}`
}

/** Returns the host as a URL parser spells it, in lower case and ASCII. Returns undefined for an invalid host. */
function canonicalHost(host: string): string | undefined {
  if (!/^(\[[\da-f:.]+\]|[^\s/?#@\\:%[\]]+)$/i.test(host)) return undefined
  const parsed = URL.parse(`https://${host}`)?.hostname
  // Rejects an address such as `0x7f.1`, because a Host header never contains such an address.
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
