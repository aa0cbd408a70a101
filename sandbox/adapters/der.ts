/** Writes and walks ASN.1 in its Distinguished Encoding Rules, as far as certificates need it. Source: X.690 */
const TAGS = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

export function encode(tag: keyof typeof TAGS | number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([
    Buffer.of(typeof tag === 'number' ? tag : TAGS[tag]),
    encodeLength(body.length),
    body,
  ])
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const bytes = bytesOf(length)
  return Buffer.of(0x80 | bytes.length, ...bytes)
}

/** The bytes of a number, the highest first. */
function bytesOf(value: number): number[] {
  return value < 0x100 ? [value] : [...bytesOf(Math.floor(value / 0x100)), value % 0x100]
}

/** A number that is not negative, by its bytes. */
export function encodeInteger(bytes: Uint8Array): Buffer {
  const significant = bytes.subarray(
    bytes.findIndex((byte, index) => byte !== 0 || index === bytes.length - 1),
  )
  // A highest bit that is set would make it negative.
  return encode('integer', ...((significant[0] ?? 0) >= 0x80 ? [Buffer.of(0)] : []), significant)
}

/** `1.2.840.10045.4.3.2` */
export function encodeIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return encode('objectIdentifier', Buffer.from([first * 40 + second, ...rest].flatMap(base128)))
}

function base128(value: number): number[] {
  const higher = (rest: number): number[] =>
    rest === 0 ? [] : [...higher(Math.floor(rest / 0x80)), 0x80 | (rest % 0x80)]
  return [...higher(Math.floor(value / 0x80)), value % 0x80]
}

/** To the second; a year from 2050 on has four digits. Source: RFC 5280, §4.1.2.5 */
export function encodeTime(time: Date): Buffer {
  const text = time.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return time.getUTCFullYear() < 2050
    ? encode('utcTime', Buffer.from(text.slice(2)))
    : encode('generalizedTime', Buffer.from(text))
}

/** The elements within a constructed one, each with its tag and length. Throws RangeError if it is cut off. */
export function elementsOf(element: Uint8Array): Uint8Array[] {
  const elements: Uint8Array[] = []
  const { start, end } = contentRange(element, 0)
  for (let at = start; at < end;) {
    const { end: next } = contentRange(element, at)
    elements.push(element.subarray(at, next))
    at = next
  }
  return elements
}

/** What is in an element, without its tag and length. */
export function contentOf(element: Uint8Array): Uint8Array {
  const { start, end } = contentRange(element, 0)
  return element.subarray(start, end)
}

function contentRange(bytes: Uint8Array, at: number): { readonly start: number; readonly end: number } {
  const first = bytes[at + 1] ?? 0
  const count = first < 0x80 ? 0 : first & 0x7f
  const start = at + 2 + count
  const length =
    count === 0 ? first : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 0x100 + byte, 0)
  if (start + length > bytes.length) throw new RangeError('Cannot read a certificate: it is cut off')
  return { start, end: start + length }
}
