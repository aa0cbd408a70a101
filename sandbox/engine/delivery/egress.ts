import { domainToUnicode } from 'node:url'
import ipaddr from 'ipaddr.js'

export interface EgressPolicy {
  /** The hosts, addresses and CIDR ranges that are allowed in addition to loopback (option --allow-target). */
  readonly allowTargets: readonly string[]
  /** The ports of the sandbox's listeners. `ownPorts` is a function, because the ports are unknown until the listeners are open. */
  readonly ownPorts: () => readonly number[]
}

export interface Refusal {
  readonly code:
    | 'url_not_https'
    | 'url_malformed'
    | 'url_userinfo'
    | 'url_fragment'
    | 'url_too_long'
    | 'target_not_local'
    | 'blocked_address'
    | 'target_is_sandbox'
  readonly message: string
}

export type UrlVerdict =
  { readonly kind: 'allowed'; readonly url: URL } | { readonly kind: 'refused'; readonly refusal: Refusal }

export interface Egress {
  /** Checks the text of a URL before a DNS lookup. The verdict contains the normalised URL. */
  judgeUrl(raw: string): UrlVerdict
  /** Returns undefined for an allowed address. Even an allowed host name never permits metadata or link-local addresses. */
  judgeAddress(address: string, port: number, hostname: string): Refusal | undefined
}

type Address = ReturnType<typeof ipaddr.parse>
type Range = ReturnType<typeof ipaddr.parseCIDR>

const MAX_URL_LENGTH = 2_048
const DEFAULT_HTTPS_PORT = 443

/** The ranges that a user can allow. Unspecified, link-local, multicast, reserved and tunnel addresses stay blocked. */
const ALLOWABLE_RANGES: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'carrierGradeNat',
  'uniqueLocal',
  'unicast',
])

/** The range of IPv6 addresses that contain an IPv4 address. The rules for IPv4 apply to these addresses. */
const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96')

/** Addresses of cloud metadata services outside the link-local range. They return credentials. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254'])
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'instance-data.ec2.internal',
])

/** Creates the rules for delivery targets. Throws an error for an invalid target, because a typo must not allow a wrong target. */
export function createEgress({ allowTargets, ownPorts }: EgressPolicy): Egress {
  const names = new Set<string>()
  const ranges: Range[] = []
  for (const target of allowTargets) {
    const allowed = readTarget(target)
    if (typeof allowed === 'string') names.add(allowed)
    else ranges.push(allowed)
  }

  function refuseOwnPort(hostname: string, port: number): Refusal | undefined {
    if (!ownPorts().includes(port)) return undefined
    const message = `Target "${hostname}:${port}" is the sandbox itself: give the receiver's own port`
    return { code: 'target_is_sandbox', message }
  }

  function judgeAddress(text: string, port: number, hostname: string): Refusal | undefined {
    const address = parseAddress(text)
    if (!address || isNeverAllowed(address)) return blockedTarget(text, hostname)
    if (address.range() === 'loopback') return refuseOwnPort(hostname, port)

    const allowed = names.has(withoutDot(hostname)) || ranges.some((range) => contains(range, address))
    return allowed ? undefined : remoteTarget(text, hostname)
  }

  function judgeHost({ hostname, port }: URL): Refusal | undefined {
    const portNumber = port === '' ? DEFAULT_HTTPS_PORT : Number(port)
    const literal = withoutBrackets(hostname)
    if (parseAddress(literal)) return judgeAddress(literal, portNumber, hostname)

    const name = withoutDot(hostname)
    if (!isHostName(name)) return malformedUrl(`"${hostname}" is not a host name`)
    if (METADATA_NAMES.has(name)) return blockedTarget(name, name)
    if (name === 'localhost' || name.endsWith('.localhost')) return refuseOwnPort(name, portNumber)
    return names.has(name) ? undefined : remoteTarget(name, name)
  }

  return {
    judgeAddress,
    judgeUrl(raw) {
      const url = parseUrl(raw)
      if ('code' in url) return { kind: 'refused', refusal: url }
      const refusal = judgeHost(url)
      return refusal ? { kind: 'refused', refusal } : { kind: 'allowed', url }
    },
  }
}

/** The characters that are invalid in URIs, but that some URL parsers accept. Source: RFC 3986, section 2 */
const STRAY = /["<>^`{|}]|%(?![\da-f]{2})/i

/** Parses a URL. Rejects tabs, line breaks and "\", which the built-in parser would silently drop or convert. */
export function parseUrl(raw: string): URL | Refusal {
  if (raw.length > MAX_URL_LENGTH) {
    const message = `URL is too long: ${raw.length} characters, at most ${MAX_URL_LENGTH} are accepted`
    return { code: 'url_too_long', message }
  }
  if (/[\p{Cc} ]/u.test(raw)) return malformedUrl('it contains a space or a control character')
  if (!raw.isWellFormed()) return malformedUrl('it contains half of a surrogate pair')
  // The service accepts only HTTPS URLs. Source: §9
  if (!/^https:/i.test(raw)) {
    const quoted = `"${raw.replace(/\/\/[^/?#]*@/, '//…@')}"`
    if (!URL.canParse(raw)) return malformedUrl(`${quoted} is no URL; ${FORM}`)
    return { code: 'url_not_https', message: `URL is not HTTPS: ${quoted}; ${FORM}` }
  }
  if (raw.includes('\\')) return malformedUrl('it contains a backslash')
  const [stray] = STRAY.exec(raw) ?? []
  if (stray === '%')
    return malformedUrl('"%" must be followed by two hexadecimal digits, or be written as "%25"')
  if (stray !== undefined)
    return malformedUrl(`it contains "${stray}", which must be written as "${encodeURIComponent(stray)}"`)

  const authority = /^https:\/\/([^/?#]+)/i.exec(raw)?.[1]
  if (authority === undefined) return malformedUrl('"https://" must be followed by a host')
  if (authority.includes('@'))
    return { code: 'url_userinfo', message: 'URL has a user name or password: remove the part before "@"' }
  if (raw.includes('#')) {
    const message = 'URL has a fragment, which is never sent: remove "#" and what follows'
    return { code: 'url_fragment', message }
  }
  const url = URL.parse(raw)
  return !url || url.port === '0' ? malformedUrl('host or port cannot be read') : url
}

function isNeverAllowed(address: Address): boolean {
  return (
    !ALLOWABLE_RANGES.has(address.range()) ||
    METADATA_ADDRESSES.has(address.toString()) ||
    (address.range() !== 'loopback' && contains(IPV4_COMPATIBLE, address))
  )
}

/** Parses an IP address. Returns undefined for forms such as "0177.1", which URL parsers and resolvers never return. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  // The library reads "::127.0.0.1" as "::ffff:127.0.0.1", which is a different address.
  if (/^::\d+\./.test(text)) return undefined
  // For an IPv4-mapped IPv6 address, the rules of the contained IPv4 address apply. For example, "::ffff:127.0.0.1" is loopback.
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined
}

function contains([base, bits]: Range, address: Address): boolean {
  if (base instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(base, bits)
  return address instanceof ipaddr.IPv6 && address.match(base, bits)
}

function readTarget(target: string): string | Range {
  const text = withoutBrackets(target)
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)

  const address = parseAddress(text)
  if (address && isNeverAllowed(address)) throw uselessTarget(target)
  if (address) return [address, address instanceof ipaddr.IPv4 ? 32 : 128]

  const url = /[\p{Cc} :/?#@\\]/u.test(text) ? null : URL.parse(`https://${text}`)
  const name = url ? withoutDot(url.hostname) : ''
  if (!isHostName(name)) {
    throw new RangeError(`Cannot allow target "${target}": it is not a host name, an address or a CIDR range`)
  }
  if (METADATA_NAMES.has(name)) throw uselessTarget(target)
  return name
}

function uselessTarget(target: string): RangeError {
  return new RangeError(`Cannot allow target "${target}": the sandbox never delivers there; leave it out`)
}

/** Returns true for a valid host name. `name` must be normalised by the URL parser: in lower case and Punycode. */
function isHostName(name: string): boolean {
  return name.length <= 253 && name.split('.').every(isLabel)
}

function isLabel(label: string): boolean {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) return false
  // Decodes the label, because the URL parser accepts invalid Punycode.
  return !label.startsWith('xn--') || domainToUnicode(label) !== label
}

function withoutDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname
}

const FORM = 'write it as https://host:port/path'

function malformedUrl(why: string): Refusal {
  return { code: 'url_malformed', message: `URL is malformed: ${why}` }
}

function blockedTarget(address: string, hostname: string): Refusal {
  const message = `Target ${describe(address, hostname)} is never called: it is not an ordinary address`
  return { code: 'blocked_address', message }
}

function remoteTarget(address: string, hostname: string): Refusal {
  const host = withoutBrackets(hostname)
  const message = `Target ${describe(address, hostname)} is not on this machine: start again with --allow-target ${host} to call it`
  // Blocks a local name that resolves to a remote address, because this is an attack or a mistake.
  return { code: host === address ? 'target_not_local' : 'blocked_address', message }
}

function describe(address: string, hostname: string): string {
  return withoutBrackets(hostname) === address ? `"${hostname}"` : `"${hostname}" (${address})`
}
