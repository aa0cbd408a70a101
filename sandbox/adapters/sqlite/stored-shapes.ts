import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { Shape } from './compact-heads.ts'
import { damage } from './storage-errors.ts'

/** Throws StorageError `damaged` if one is not what was written: all heads of that shape would say something else. */
export function readShapes(path: string, database: DatabaseSync): readonly Shape[] {
  const rows = database.prepare('SELECT id, names, sum FROM shapes ORDER BY id').all()
  return rows.map(({ id, names, sum }, index) => {
    if (id !== index + 1 || crc32(String(names), id) !== sum)
      throw damage(path, `shape ${index + 1} is not what was written`)
    return { id, names: JSON.parse(String(names)) }
  })
}

export function storeShape(insert: StatementSync, { id, names }: Shape): void {
  const text = JSON.stringify(names)
  insert.run(id, text, crc32(text, id))
}
