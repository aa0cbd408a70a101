import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { Checkpoint } from '../../engine/state/log.ts'

/** Where checkpoints are kept: the last one only. */
export interface Checkpoints {
  /** Undefined if there is none, if it is not what was written, or if it is of another log. */
  read(): Checkpoint | undefined
  /** Within a transaction. */
  write(checkpoint: Checkpoint): void
}

export function createCheckpoints(database: DatabaseSync): Checkpoints {
  const select = database.prepare('SELECT * FROM checkpoints')
  const insert = database.prepare('INSERT INTO checkpoints VALUES (?, ?, ?, ?)')
  const selectSum = database.prepare('SELECT head_sum FROM entries WHERE position = ?')
  const headSum = (position: number) => Number(selectSum.get(position)?.['head_sum'] ?? 0)

  return {
    read() {
      const row = select.get()
      if (!row) return undefined
      const { head_sum, bytes_sum, bytes } = row
      const position = Number(row['position'])
      const isWhole = bytes instanceof Uint8Array && crc32(bytes, position) === bytes_sum
      return isWhole && head_sum === headSum(position) ? { position, bytes } : undefined
    },
    write({ position, bytes }) {
      database.exec('DELETE FROM checkpoints')
      insert.run(position, headSum(position), crc32(bytes, position), bytes)
    },
  }
}
