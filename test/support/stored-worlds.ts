import { join } from 'node:path'
import { WORLD_TABLES } from '../../sandbox/adapters/sqlite/queries/world-rows.ts'
import { readStoredRows } from './store-copy.ts'
import type { Walk } from './walk.ts'

const storeOf = ({ folder }: Pick<Walk, 'folder'>) => join(folder, 'store.sqlite')

/** The names of the worlds on the disk. */
export function storedWorlds(walk: Pick<Walk, 'folder'>): readonly string[] {
  return readStoredRows(storeOf(walk), 'SELECT name FROM worlds ORDER BY name').map(({ name }) =>
    String(name),
  )
}

/** How many rows are left of worlds that were removed, or never finished. */
export function countRowsOfNoWorld(walk: Pick<Walk, 'folder'>): number {
  const counts = ['states', ...WORLD_TABLES].map(
    (table) => `SELECT count(*) AS rows FROM ${table} WHERE world NOT IN (SELECT number FROM worlds)`,
  )
  return readStoredRows(storeOf(walk), counts.join(' UNION ALL ')).reduce(
    (sum, { rows }) => sum + Number(rows),
    0,
  )
}

/** Everything on the disk as text, except the record that has the credentials of each world. */
export function readAllButRecords(walk: Pick<Walk, 'folder'>): string {
  const tables = ['states', 'heads', ...WORLD_TABLES].map((table) =>
    readStoredRows(storeOf(walk), `SELECT * FROM ${table}`),
  )
  return JSON.stringify([...tables, readStoredRows(storeOf(walk), 'SELECT name, number, pause FROM worlds')])
}
