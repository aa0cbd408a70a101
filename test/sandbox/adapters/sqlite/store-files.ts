import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import type { Store } from '../../../../sandbox/engine/state/store.ts'
import { openFileStore } from '../../../support/stores.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

export const newPath = () => join(temporaryFolder(), 'store.sqlite')

/** Opens a store that is closed after the test. */
export function open(path: string): Store {
  const store = openFileStore(path)
  onTestFinished(() => store.close())
  return store
}

export async function makeClosedStore(entries: readonly Entry[]): Promise<string> {
  const path = newPath()
  const store = openFileStore(path)
  await store.commit(entries)
  store.close()
  return path
}

/** Returns the name and the bytes of each file in the folder of the store. */
export const files = (path: string) =>
  readdirSync(dirname(path)).map((name) => [name, readFileSync(join(dirname(path), name), 'base64')])

export function withDatabase(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

export function item(number: number, fields: object = {}): Entry {
  const head = { kind: 'object', at: number, object_type: 'items', id: `i${number}`, revision: 1 } as const
  return { head, body: JSON.stringify({ number, ...fields }) }
}

export const items = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, index) => item(index + 1, fields))
