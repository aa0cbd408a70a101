import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { releaseBytes } from '../../engine/core/release-bytes.ts'
import { createCheckpoints } from './checkpoints.ts'
import { damage } from './storage-errors.ts'

/** What a row of the table of entries holds beside its position, and what is computed of it. */
export interface Sums {
  readonly head_sum: number
  readonly body_sum: number
}

/** Bound to the position, so that an entry that took the place of another one is noticed. */
export function computeSums(position: number, head: string, body: string): Sums {
  const head_sum = crc32(head, position)
  return { head_sum, body_sum: crc32(body, head_sum) }
}

/**
 * Throws StorageError `damaged`, naming it, for the first entry after the last checkpoint that is missing or whose head is not what
 * was written. Bodies are looked at when they are read.
 */
export function verifyEntries(path: string, database: DatabaseSync): void {
  const checkpoint = createCheckpoints(database).read()
  if (checkpoint) releaseBytes(checkpoint.bytes)
  const from = checkpoint?.position ?? 0
  const rows = database.prepare(
    'SELECT position, head, head_sum FROM entries WHERE position > ? ORDER BY position',
  )
  let expected = from
  for (const { position, head, head_sum } of rows.iterate(from)) {
    expected++
    if (position !== expected) throw damage(path, `entry ${expected} is missing`)
    if (crc32(String(head), expected) !== head_sum)
      throw damage(path, `entry ${expected} is not what was written`)
  }
}
