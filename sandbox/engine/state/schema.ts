import type { DatabaseSync } from 'node:sqlite'
import { readPackageFile } from '../../../spec/package-files.ts'

const MIGRATIONS = ['0001-tables.sql']
/** The format of version 0.1.0, which cannot be migrated. */
export const OLD_FORMAT = 3
export const FORMAT = OLD_FORMAT + MIGRATIONS.length

let migrations: readonly string[] | undefined

function readMigrations(): readonly string[] {
  migrations ??= MIGRATIONS.map((name) => {
    const text = readPackageFile(`sandbox/engine/state/schema/${name}`)
    if (text === undefined)
      throw new Error(`Cannot find ${name} in the package: the file is missing. Install the package again`)
    return text
  })
  return migrations
}

export function formatOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
}

export function migrate(database: DatabaseSync): void {
  const from = formatOf(database)
  for (const [index, migration] of readMigrations().entries()) {
    if (OLD_FORMAT + index < from) continue
    database.exec(`BEGIN; ${migration} PRAGMA user_version = ${OLD_FORMAT + index + 1}; COMMIT;`)
  }
}
