/** The names of an object's fields, which stand once for all objects that have just these. */
export interface Shape {
  readonly id: number
  readonly names: readonly string[]
}

/** Heads as short text: names of fields are a number, and UUIDs take 23 characters. */
export interface CompactHeads {
  encode(head: object): string
  decode(text: string): unknown
  /** The shapes that were given out and are not stored yet. */
  unstored(): readonly Shape[]
  /** Those that were are. */
  markStored(): void
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
/** What stands before a UUID that was packed, and before a text that itself begins with it. */
const MARK = '~'
/** In place of a shape: what follows are the items of a list. */
const LIST = 0

/** `stored` are the shapes that the store knows already. */
export function createCompactHeads(stored: readonly Shape[]): CompactHeads {
  const idByNames = new Map<string, number>()
  const namesById = new Map<number, readonly string[]>()
  let fresh: Shape[] = []
  for (const shape of stored) learn(shape)

  function learn({ id, names }: Shape): void {
    idByNames.set(keyOf(names), id)
    namesById.set(id, names)
  }

  function shapeOf(names: readonly string[]): number {
    const known = idByNames.get(keyOf(names))
    if (known !== undefined) return known
    const shape = { id: namesById.size + 1, names }
    learn(shape)
    fresh.push(shape)
    return shape.id
  }

  function pack(value: unknown): unknown {
    if (typeof value === 'string') return packText(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return [LIST, ...value.map(pack)]
    const names: string[] = []
    const packed: unknown[] = [LIST]
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue
      names.push(name)
      packed.push(pack(field))
    }
    packed[0] = shapeOf(names)
    return packed
  }

  function unpack(value: unknown): unknown {
    if (typeof value === 'string') return unpackText(value)
    if (!Array.isArray(value)) return value
    const [shape, ...values]: unknown[] = value
    if (shape === LIST) return values.map(unpack)
    const names = namesById.get(Number(shape))
    if (names?.length !== values.length) throw new TypeError(`Unknown shape ${String(shape)}`)
    return Object.fromEntries(names.map((name, index) => [name, unpack(values[index])]))
  }

  return {
    encode: (head) => JSON.stringify(pack(head)),
    decode: (text) => unpack(JSON.parse(text)),
    unstored: () => fresh,
    markStored() {
      fresh = []
    },
  }
}

const keyOf = (names: readonly string[]) => `${names.length}:${names.join('\0')}`

function packText(text: string): string {
  if (text.length === 36 && UUID.test(text))
    return MARK + Buffer.from(text.replaceAll('-', ''), 'hex').toString('base64url')
  return text.startsWith(MARK) ? MARK + text : text
}

function unpackText(text: string): string {
  if (!text.startsWith(MARK)) return text
  if (text.startsWith(MARK + MARK)) return text.slice(1)
  const hex = Buffer.from(text.slice(1), 'base64url').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
