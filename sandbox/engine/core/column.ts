/** Numbers of one kind, by their places from 0 on; eight bytes each at most, where an object would take a hundred. */
export interface Column {
  readonly length: number
  /** 0 where nothing was set. */
  get(place: number): number
  /** Lengthens the column where the place lies behind its end. */
  set(place: number, value: number): void
  push(value: number): void
  /** A copy of what it holds, in the byte order of this machine. */
  bytes(): Uint8Array<ArrayBuffer>
}

/** What a column can hold: whole numbers of so many bits, or any number. */
export type ColumnKind = 'u8' | 'u16' | 'u32' | 'f64'

type Values = Uint8Array | Uint16Array | Uint32Array | Float64Array

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array }

const CHUNK_BITS = 14
const CHUNK_LENGTH = 1 << CHUNK_BITS
const FIRST_LENGTH = 16

/**
 * In chunks: one that grows is never copied as a whole, and wastes at most a chunk. The first begins small. `bytes` are those
 * of another one, and are its own from now on.
 */
export function createColumn(kind: ColumnKind, bytes?: Uint8Array<ArrayBuffer>): Column {
  const chunks: Values[] = []
  const size = ARRAYS[kind].BYTES_PER_ELEMENT
  let length = 0

  function makeRoom(place: number): Values {
    const number = place >>> CHUNK_BITS
    for (let before = Math.max(0, chunks.length - 1); before < number; before++) grow(before, CHUNK_LENGTH)
    const within = (place & (CHUNK_LENGTH - 1)) + 1
    const needed = number > 0 ? CHUNK_LENGTH : Math.max(FIRST_LENGTH, 2 ** Math.ceil(Math.log2(within)))
    return grow(number, needed)
  }

  function grow(number: number, needed: number): Values {
    const before = chunks[number]
    if (before && before.length >= needed) return before
    const larger = new ARRAYS[kind](needed)
    if (before) larger.set(before)
    chunks[number] = larger
    return larger
  }

  function set(place: number, value: number): void {
    let chunk = chunks[place >>> CHUNK_BITS]
    const within = place & (CHUNK_LENGTH - 1)
    if (!chunk || within >= chunk.length) chunk = makeRoom(place)
    chunk[within] = value
    if (place >= length) length = place + 1
  }

  function fill(given: Uint8Array<ArrayBuffer>): void {
    if (given.length % size !== 0)
      throw new RangeError(`Cannot fill a column of ${kind} with ${given.length} bytes`)
    // Views of what was given: copies took a start twice the memory.
    const { buffer, byteOffset } = given.byteOffset % size === 0 ? given : new Uint8Array(given)
    length = given.length / size
    for (let start = 0; start < length; start += CHUNK_LENGTH)
      chunks.push(new ARRAYS[kind](buffer, byteOffset + start * size, Math.min(CHUNK_LENGTH, length - start)))
  }

  if (bytes) fill(bytes)
  return {
    get length() {
      return length
    },
    get: (place) => chunks[place >>> CHUNK_BITS]?.[place & (CHUNK_LENGTH - 1)] ?? 0,
    set,
    push: (value) => set(length, value),
    bytes: () => copyChunks(chunks, length * size),
  }
}

function copyChunks(chunks: readonly Values[], length: number): Uint8Array<ArrayBuffer> {
  const copied = new Uint8Array(length)
  let start = 0
  for (const { buffer, byteOffset, byteLength } of chunks) {
    copied.set(new Uint8Array(buffer, byteOffset, Math.min(byteLength, length - start)), start)
    start += byteLength
  }
  return copied
}
