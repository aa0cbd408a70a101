import { existsSync, readFileSync } from 'node:fs'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** What the file begins with: checksums are made of words with the least or the most significant byte first. */
const LITTLE_ENDIAN = 0x377f0682
const BIG_ENDIAN = 0x377f0683

/** What a start cuts off a store that was not closed, in a sentence; undefined if nothing. */
export function describeCutTail(path: string): string | undefined {
  const tail = findCutTail(path)
  if (!tail) return undefined
  const pages = tail.pages === 1 ? '1 page' : `${tail.pages} pages`
  return `What was written last to store "${path}" is not whole (${pages}): it is cut back to the last whole commit`
}

/** What SQLite leaves out when it opens a database again. */
interface CutTail {
  /** How many pages were written behind the last whole commit. */
  readonly pages: number
  /** How many of those before are whole, and are kept. */
  readonly kept: number
}

/**
 * What was being written when the machine or the process ended, or was damaged since, and is cut off at the last whole commit;
 * undefined if nothing is. Look before the database is opened.
 */
function findCutTail(databasePath: string): CutTail | undefined {
  const path = `${databasePath}-wal`
  if (!existsSync(path)) return undefined
  const bytes = readFileSync(path)
  if (bytes.length < HEADER_BYTES) return undefined
  const magic = bytes.readUInt32BE(0)
  const sum = createSum(magic !== BIG_ENDIAN)
  sum.add(bytes.subarray(0, 24))
  const isOurs = magic === LITTLE_ENDIAN || magic === BIG_ENDIAN
  // Without a header nothing of it is read: SQLite writes that first, and waits for the disk.
  if (!isOurs || !sum.equals(bytes, 24)) return undefined
  return walk(bytes, sum)
}

type Sum = ReturnType<typeof createSum>

function walk(bytes: Buffer, sum: Sum): CutTail | undefined {
  const pageBytes = bytes.readUInt32BE(8)
  const frameBytes = FRAME_HEADER_BYTES + pageBytes
  const salts = bytes.subarray(16, 24)
  let [kept, pages, isWhole] = [0, 0, true]
  for (let from = HEADER_BYTES; from + FRAME_HEADER_BYTES <= bytes.length; from += frameBytes) {
    // What is left of an earlier round, whose pages are all in the database.
    if (!salts.equals(bytes.subarray(from + 8, from + 16))) break
    pages++
    const frame = bytes.subarray(from, from + frameBytes)
    isWhole &&= frame.length === frameBytes && isValid(frame, sum)
    if (isWhole && frame.readUInt32BE(4) > 0) kept = pages
  }
  return pages > kept ? { pages: pages - kept, kept } : undefined
}

function isValid(frame: Buffer, sum: Sum): boolean {
  sum.add(frame.subarray(0, 8))
  sum.add(frame.subarray(FRAME_HEADER_BYTES))
  return sum.equals(frame, 16)
}

/** The running checksum of SQLite's write-ahead log. Source: https://sqlite.org/fileformat2.html#checksum_algorithm */
function createSum(isLittleEndian: boolean) {
  let [first, second] = [0, 0]
  return {
    add(bytes: Buffer): void {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      for (let at = 0; at + 8 <= bytes.length; at += 8) {
        first = (first + view.getUint32(at, isLittleEndian) + second) >>> 0
        second = (second + view.getUint32(at + 4, isLittleEndian) + first) >>> 0
      }
    },
    equals: (bytes: Buffer, at: number) =>
      bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second,
  }
}
