const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A version 4 UUID drawn from `random`. */
export function newUuid(random: () => number): string {
  const bytes: number[] = []
  while (bytes.length < 16) {
    const word = Math.floor(random() * 2 ** 32)
    bytes.push((word >>> 24) & 0xff, (word >>> 16) & 0xff, (word >>> 8) & 0xff, word & 0xff)
  }
  const hex = bytes.map((byte, index) => {
    if (index === 6) return HEX[(byte & 0x0f) | 0x40]
    if (index === 8) return HEX[(byte & 0x3f) | 0x80]
    return HEX[byte]
  })
  return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)]
    .map((part) => part.join(''))
    .join('-')
}
