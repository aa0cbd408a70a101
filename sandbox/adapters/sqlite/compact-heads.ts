import { parseUuid, UUID_WORDS } from '../../engine/core/uuid-words.ts'

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

/** What stands before a UUID that was packed, and before a text that itself begins with it. */
const MARK = '~'
/** In place of a shape: what follows are the items of a list. */
const LIST = 0

/** `stored` are the shapes that the store knows already. */
export function createCompactHeads(stored: readonly Shape[]): CompactHeads {
  const shapes = createShapes(stored)
  const printText = createTextPrinter()

  /** As JSON, in one go: packed first and printed then, it took most of the time of an entry. */
  function print(value: unknown): string {
    if (typeof value === 'string') return printText(value)
    if (typeof value === 'number' && Number.isFinite(value)) return `${value}`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
    if (Array.isArray(value)) return `[${[LIST, ...value.map(print)].join(',')}]`
    const names = Object.keys(value)
    const fields: unknown[] = Object.values(value)
    const printed = ['']
    let shape = shapes.empty
    for (let index = 0; index < names.length; index++) {
      if (fields[index] === undefined) continue
      shape = lengthen(shape, names[index] ?? '')
      printed.push(print(fields[index]))
    }
    printed[0] = `${shapes.idOf(shape)}`
    return `[${printed.join(',')}]`
  }

  function unpack(value: unknown): unknown {
    if (typeof value === 'string') return unpackText(value)
    if (!Array.isArray(value)) return value
    const [shape, ...values]: unknown[] = value
    if (shape === LIST) return values.map(unpack)
    const names = shapes.namesOf(Number(shape))
    if (names?.length !== values.length) throw new TypeError(`Unknown shape ${String(shape)}`)
    return Object.fromEntries(names.map((name, index) => [name, unpack(values[index])]))
  }

  return {
    encode: print,
    decode: (text) => unpack(JSON.parse(text)),
    unstored: shapes.unstored,
    markStored: shapes.markStored,
  }
}

/** What is known of the objects whose first fields have these names. */
interface ShapeStart {
  readonly names: readonly string[]
  /** Of those that have no others; undefined if none was seen. */
  id: number | undefined
  readonly longer: Map<string, ShapeStart>
}

function createShapes(stored: readonly Shape[]) {
  const empty: ShapeStart = { names: [], id: undefined, longer: new Map() }
  const namesById = new Map<number, readonly string[]>()
  let fresh: Shape[] = []
  for (const { id, names } of stored) learn(names.reduce(lengthen, empty), id)

  function learn(shape: ShapeStart, id: number): number {
    shape.id = id
    namesById.set(id, shape.names)
    return id
  }

  return {
    empty,
    idOf(shape: ShapeStart): number {
      if (shape.id !== undefined) return shape.id
      const id = learn(shape, namesById.size + 1)
      fresh.push({ id, names: shape.names })
      return id
    },
    namesOf: (id: number) => namesById.get(id),
    unstored: () => fresh,
    markStored() {
      fresh = []
    },
  }
}

function lengthen(shape: ShapeStart, name: string): ShapeStart {
  const known = shape.longer.get(name)
  if (known) return known
  const longer: ShapeStart = { names: [...shape.names, name], id: undefined, longer: new Map() }
  shape.longer.set(name, longer)
  return longer
}

const MOST_RECENT = 512
const LONGEST_RECENT = 100

/** Prints texts as JSON. An id stands in a few entries, one soon after the other, and the same words in most. */
function createTextPrinter() {
  const packText = createTextPacker()
  let printed = new Map<string, string>()
  let before = printed
  return (text: string): string => {
    const known = printed.get(text) ?? before.get(text)
    if (known !== undefined) return known
    const json = JSON.stringify(packText(text))
    if (text.length > LONGEST_RECENT) return json
    if (printed.size >= MOST_RECENT) [before, printed] = [printed, new Map()]
    printed.set(text, json)
    return json
  }
}

/** Packs texts that are UUIDs, and marks those that look packed. */
function createTextPacker(): (text: string) => string {
  const words = new Uint32Array(UUID_WORDS)
  const bytes = Buffer.alloc(4 * UUID_WORDS)
  return (text) => {
    if (!parseUuid(text, words)) return text.startsWith(MARK) ? MARK + text : text
    for (const [index, word] of words.entries()) bytes.writeUInt32BE(word, 4 * index)
    return MARK + bytes.toString('base64url')
  }
}

function unpackText(text: string): string {
  if (!text.startsWith(MARK)) return text
  if (text.startsWith(MARK + MARK)) return text.slice(1)
  const hex = Buffer.from(text.slice(1), 'base64url').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
