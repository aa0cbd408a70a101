import { StorageError } from '../../engine/state/log.ts'

/** A database, and the schema in it. */
export interface PostgresPlace {
  /** For the driver: credentials and all. */
  readonly url: string
  readonly schema: string
  /** For people: never a password. */
  readonly shown: string
}

const DEFAULT_SCHEMA = 'hookbench'
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/

export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text)
}

/** Reads `postgres://user:password@host:port/database?schema=name`. Throws StorageError `unusable`, with what to do. */
export function parsePostgresUrl(text: string): PostgresPlace {
  const url = isPostgresUrl(text) && URL.canParse(text) ? new URL(text) : undefined
  if (!url)
    throw new StorageError(
      'unusable',
      'Cannot use the store: its URL is not one of PostgreSQL; write it as postgres://host:5432/database',
    )
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA
  url.searchParams.delete('schema')
  if (!SCHEMA_NAME.test(schema))
    throw new StorageError(
      'unusable',
      `Cannot use schema "${schema}": a name is of small letters, digits and "_"; give another with ?schema=`,
    )
  const host = url.searchParams.get('host') ?? (url.host || 'localhost')
  return { url: url.href, schema, shown: `${host}${url.pathname}, schema ${schema}` }
}
