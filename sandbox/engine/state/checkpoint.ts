import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { VERSION } from '../core/version.ts'
import type { ColumnCopy, IndexCopy } from './index-data.ts'

/** Raised whenever what the indexes make of the same entries changes; a new version of Hookbench replays everything, too. */
const FORMAT = `3 of ${VERSION}`

/** What comes first, as JSON behind its length: the compressed parts that follow. The first is the rest, the others are columns. */
interface Header {
  readonly format: string
  readonly parts: readonly { readonly about?: ColumnName; readonly size: number; readonly length: number }[]
}

type ColumnName = Omit<ColumnCopy, 'bytes'>

interface Part {
  readonly about?: ColumnName
  /** Before it was compressed. */
  readonly length: number
  readonly bytes: Uint8Array
}

/** Ids are random, and take most of the time and the room at any level: the fastest does. */
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const compressSoon = promisify(zstdCompress)

/** The bytes of a checkpoint. Columns are compressed one by one, so that no more than one is there twice. */
export function encodeCopy({ columns, rest }: IndexCopy): Uint8Array {
  const parts: Part[] = [{ length: Buffer.byteLength(rest), bytes: zstdCompressSync(rest, OPTIONS) }]
  for (const { bytes, ...about } of columns)
    parts.push({ about, length: bytes.length, bytes: zstdCompressSync(bytes, OPTIONS) })
  return join(parts)
}

/** The same, in threads beside the work at hand. */
export async function encodeCopySoon({ columns, rest }: IndexCopy): Promise<Uint8Array> {
  // Copied now: what comes meanwhile must not show.
  const copied = [...columns]
  const parts: Part[] = [{ length: Buffer.byteLength(rest), bytes: await compressSoon(rest, OPTIONS) }]
  for (const { bytes, ...about } of copied)
    parts.push({ about, length: bytes.length, bytes: await compressSoon(bytes, OPTIONS) })
  return join(parts)
}

function join(parts: readonly Part[]): Uint8Array {
  const header: Header = {
    format: FORMAT,
    parts: parts.map(({ about, length, bytes }) => ({ ...(about && { about }), length, size: bytes.length })),
  }
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text, ...parts.map(({ bytes }) => bytes)])
}

const LENGTH_BYTES = 4

/** Whether `decodeCopy` takes them: what another version wrote it does not. */
export function isDecodable(bytes: Uint8Array): boolean {
  try {
    return readHeader(toBuffer(bytes)).header.format === FORMAT
  } catch {
    return false
  }
}

const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

function readHeader(buffer: Buffer): { readonly header: Header; readonly end: number } {
  const end = LENGTH_BYTES + buffer.readUInt32LE(0)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `join` writes it
  return { header: JSON.parse(buffer.toString('utf8', LENGTH_BYTES, end)) as Header, end }
}

/** Throws for bytes that are of another format or cannot be read; columns are read when it comes to them. */
export function decodeCopy(bytes: Uint8Array): IndexCopy {
  const buffer = toBuffer(bytes)
  const { header, end: headerEnd } = readHeader(buffer)
  const { format, parts } = header
  if (format !== FORMAT) throw new TypeError(`Cannot read a checkpoint of format "${format}"`)
  let end = headerEnd
  const [rest, ...columns] = parts.map(({ about, size, length }) => {
    const start = end
    end += size
    return { about, read: () => decompress(buffer.subarray(start, start + size), length) }
  })
  function* readColumns(): Iterable<ColumnCopy> {
    for (const { about, read } of columns) if (about) yield { ...about, bytes: read() }
  }
  return { rest: rest?.read().toString() ?? '', columns: readColumns() }
}

/** In one piece, with a little room: where the last byte is the end of the piece, another one is begun, and both are copied. */
function decompress(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const decompressed = zstdDecompressSync(bytes, { chunkSize: Math.max(64, length + 16) })
  if (decompressed.length === length) return decompressed
  throw new RangeError(`Cannot read a checkpoint: ${decompressed.length} bytes stand for ${length}`)
}
