/** A part of a large JSON object. Either a field or an item of a list. A list first comes as an empty field. */
export interface JsonPart {
  readonly name: string
  /** The index of an item in its list. Undefined for a field. */
  readonly index: number | undefined
  readonly value: unknown
}

/** Reads one JSON object in pieces, and holds only its current part. */
export interface JsonPartReader {
  /**
   * Returns the parts that end within these bytes. Throws SyntaxError for invalid JSON, RangeError for too large a
   * part.
   */
  take(bytes: Uint8Array): readonly JsonPart[]
  /** Throws SyntaxError if the object has not ended. */
  end(): void
}

export interface JsonPartOptions {
  /** The fields whose items are separate parts. */
  readonly lists: readonly string[]
  /** The maximum size of a part. */
  readonly maxBytes: number
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The expected next token. A step takes a byte that is not a space, and returns the next step. */
type Step =
  | 'object'
  | 'first-name'
  | 'name'
  | 'colon'
  | 'value'
  | 'after-value'
  | 'first-item'
  | 'item'
  | 'after-item'
  | 'done'

export function createJsonPartReader({ lists, maxBytes }: JsonPartOptions): JsonPartReader {
  const takeName = createNameReader()
  const text = createTextScanner(maxBytes)
  let step: Step = 'object'
  let name = ''
  let index: number | undefined
  let parts: JsonPart[] = []

  /** Handles the end of a name, a field or an item. */
  function endText(): void {
    const value = text.parse()
    if (step === 'first-name' || step === 'name') {
      name = takeName(String(value))
      step = 'colon'
      return
    }
    parts.push({ name, index, value })
    step = index === undefined ? 'after-value' : 'after-item'
    if (index !== undefined) index++
  }

  function takeStep(next: Step): void {
    if (next === 'first-item') parts.push({ name, index: undefined, value: [] })
    if (next === 'first-item' || next === 'after-value') index = next === 'first-item' ? 0 : undefined
    step = next
  }

  return {
    take(bytes) {
      parts = []
      for (let at = 0; at < bytes.length;) {
        if (text.isOpen) {
          at = text.take(bytes, at)
          if (!text.isOpen) endText()
          continue
        }
        const byte = bytes[at] ?? 0
        const next = nextStep(step, byte, lists.includes(name))
        if (next === undefined && !isSpace(byte)) text.open(firstByte(step, byte))
        else at++
        if (next) takeStep(next)
      }
      return parts
    },
    end() {
      if (step !== 'done') throw new SyntaxError('It ends too early')
    },
  }
}

/** Throws SyntaxError for a repeated name. */
function createNameReader(): (name: string) => string {
  const names = new Set<string>()
  return (name) => {
    if (names.has(name)) throw new SyntaxError(`"${name.slice(0, 40)}" is there twice`)
    names.add(name)
    return name
  }
}

/** Returns the step after a mark such as a comma, undefined if the mark is not expected. */
function nextStep(step: Step, byte: number, isList: boolean): Step | undefined {
  if (step === 'object' && byte === OPEN_OBJECT) return 'first-name'
  if (step === 'colon' && byte === COLON) return 'value'
  if (step === 'value' && isList && byte === OPEN_LIST) return 'first-item'
  if ((step === 'first-name' || step === 'after-value') && byte === CLOSE_OBJECT) return 'done'
  if (step === 'after-value' && byte === COMMA) return 'name'
  if ((step === 'first-item' || step === 'after-item') && byte === CLOSE_LIST) return 'after-value'
  if (step === 'after-item' && byte === COMMA) return 'item'
  return undefined
}

/** Returns the byte if a text can begin with it. Throws SyntaxError otherwise. */
function firstByte(step: Step, byte: number): number {
  const isName = step === 'first-name' || step === 'name'
  const mayBegin = isName ? byte === QUOTE : step === 'value' || step === 'first-item' || step === 'item'
  if (mayBegin) return byte
  throw new SyntaxError(`Unexpected "${String.fromCodePoint(byte)}"`)
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Reads the text of one value. */
function createTextScanner(maxBytes: number) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let findEnd = createEndFinder(0)
  let pieces: Uint8Array[] = []
  let size = 0
  let isOpen = false
  return {
    get isOpen() {
      return isOpen
    },
    open(first: number): void {
      isOpen = true
      findEnd = createEndFinder(first)
    },
    /** Takes the bytes of the value. Returns the place after them. */
    take(bytes: Uint8Array, from: number): number {
      const end = findEnd(bytes, from)
      const piece = end === -1 ? bytes.subarray(from) : bytes.subarray(from, end)
      size += piece.length
      if (size > maxBytes) throw new RangeError(`A part of it has more than ${maxBytes} bytes`)
      pieces.push(piece)
      isOpen = end === -1
      return isOpen ? bytes.length : end
    },
    /** Throws SyntaxError for invalid JSON. */
    parse(): unknown {
      const [only] = pieces
      const whole = pieces.length === 1 && only ? only : Buffer.concat(pieces)
      ;[pieces, size] = [[], 0]
      try {
        return JSON.parse(decoder.decode(whole))
      } catch (cause) {
        if (cause instanceof SyntaxError) throw cause
        throw new SyntaxError('It is not UTF-8', { cause })
      }
    },
  }
}

/** Finds the place after a value that begins with this byte. Returns -1 if the value continues in the next piece. */
function createEndFinder(first: number): (bytes: Uint8Array, from: number) => number {
  const isBare = first !== QUOTE && first !== OPEN_OBJECT && first !== OPEN_LIST
  let [depth, isText, isEscaped] = [0, false, false]
  return (bytes, from) => {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) {
          isText = false
          if (depth === 0) return at + 1
        }
      } else if (isBare) {
        if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST || isSpace(byte)) return at
      } else if (byte === QUOTE) isText = true
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) return at + 1
    }
    return -1
  }
}
