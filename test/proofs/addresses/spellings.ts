import type { Lookup } from '../../../sandbox/adapters/transport/lookup.ts'
import { resolvesTo } from '../receiver-faults/stage.ts'

export interface Spelling {
  readonly host: string
  readonly address: string
  readonly lookup?: Lookup
  readonly allowTargets?: readonly string[]
}

/** Addresses that the sandbox never calls. On 127.0.0.1, only the sandbox's own ports are forbidden. */
const NEVER = [
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '169.254.169.254',
  '169.254.1.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
]

/** Addresses that the sandbox calls only if the user allows them. */
const REMOTE = ['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '8.8.8.8']

const NEVER_6 = ['::', '::1', 'fe80::1', 'ff02::1', 'fd00:ec2::254', '2001:db8::1', '100::1', 'fec0::1']
const REMOTE_6 = ['fc00::1', 'fd00::1', '2606:4700::1']

const METADATA_NAMES = ['metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal']

type Octets = readonly [number, number, number, number]

const hex = (value: number, digits = 1) => value.toString(16).padStart(digits, '0')
const number = ([a, b, c, d]: Octets) => a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
const digits = (text: string, zero: number) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
const circled = (text: string) =>
  text.replace(/\d/g, (digit) => (digit === '0' ? '⓪' : String.fromCodePoint(0x245f + Number(digit))))
const percent = (text: string) => text.replace(/./g, (each) => `%${hex(each.charCodeAt(0), 2)}`)

const WRITTEN: readonly ((octets: Octets) => string)[] = [
  (octets) => octets.join('.'),
  (octets) => `${octets.join('.')}.`,
  (octets) => String(number(octets)),
  (octets) => `0x${hex(number(octets))}`,
  (octets) => `0X${hex(number(octets)).toUpperCase()}`,
  (octets) => `0x00000000${hex(number(octets), 8)}`,
  (octets) => `0${number(octets).toString(8)}`,
  (octets) => octets.map((each) => `0x${hex(each)}`).join('.'),
  (octets) => octets.map((each) => `0${each.toString(8)}`).join('.'),
  (octets) => octets.map((each) => `000${each.toString(8).padStart(3, '0')}`).join('.'),
  ([a, b, c, d]) => `${a}.${b * 65_536 + c * 256 + d}`,
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `0x${hex(a)}.${b}.0${(c * 256 + d).toString(8)}`,
  (octets) => percent(octets.join('.')),
  (octets) => octets.join('%2e'),
  (octets) => octets.join('。'),
  (octets) => digits(octets.join('．'), 0xff10),
  (octets) => circled(octets.join('.')),
]

const EMBEDDED: readonly ((octets: Octets) => string)[] = [
  (octets) => `::ffff:${octets.join('.')}`,
  (octets) => `::FFFF:${pair(octets)}`,
  (octets) => `0:0:0:0:0:ffff:${pair(octets)}`,
  (octets) => `0000:0000:0000:0000:0000:ffff:${octets.join('.')}`,
  (octets) => `::${octets.join('.')}`,
  (octets) => `::${pair(octets)}`,
  (octets) => `::ffff:0:${pair(octets)}`,
  (octets) => `64:ff9b::${pair(octets)}`,
  (octets) => `64:ff9b:1::${pair(octets)}`,
  (octets) => `2002:${pair(octets)}::`,
  ([a, b, c, d]) => `2001:0:102:304:0:0:${pair([255 - a, 255 - b, 255 - c, 255 - d])}`,
]

function pair([a, b, c, d]: Octets): string {
  return `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
}

function octetsOf(address: string): Octets {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [a, b, c, d]
}

function spellIpv4(address: string): readonly Spelling[] {
  const octets = octetsOf(address)
  return [
    ...WRITTEN.map((write) => ({ host: write(octets), address })),
    ...EMBEDDED.map((embed) => ({ host: `[${embed(octets)}]`, address })),
  ]
}

function spellIpv6(address: string): readonly Spelling[] {
  return [
    address,
    address.toUpperCase(),
    address.replace('::', ':0::'),
    `${address}%25lo`,
    `${address}%lo`,
  ].map((written) => ({ host: `[${written}]`, address }))
}

/** Lists names that resolve to an address: local names, names with several addresses, and allowed names. */
function spellNames(address: string, isNever: boolean): readonly Spelling[] {
  const names: Spelling[] = [
    { host: 'LOCALHOST', address, lookup: resolvesTo(address) },
    { host: 'items.localhost.', address, lookup: resolvesTo('127.0.0.2', address) },
  ]
  if (!isNever) return names
  const allowTargets = ['receiver.test', '127.0.0.0/8', '0.0.0.0/0', '::/0']
  return [...names, { host: 'receiver.test', address, lookup: resolvesTo(address), allowTargets }]
}

/** Lists all spellings in a mixed order, so that each part of the list contains every kind of spelling. */
export function listSpellings(): readonly Spelling[] {
  const groups = [
    ...[...NEVER, ...REMOTE].map(spellIpv4),
    ...[...NEVER_6, ...REMOTE_6].map(spellIpv6),
    ...[...NEVER, ...NEVER_6].map((address) => spellNames(address, true)),
    ...[...REMOTE, ...REMOTE_6].map((address) => spellNames(address, false)),
    METADATA_NAMES.flatMap((name) =>
      [name, name.toUpperCase(), `${name}.`].map((host) => ({ host, address: name })),
    ),
  ]
  const longest = Math.max(...groups.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => groups.flatMap((group) => group[index] ?? [])).flat()
}

/** Addresses assignable to this machine. The proof counts the connections to these addresses. */
export const SENTINEL_ADDRESSES: readonly string[] = [...NEVER, ...REMOTE, ...NEVER_6, ...REMOTE_6]
