import type * as Driver from 'pg'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { StorageError } from '../../engine/state/log.ts'
import type { PostgresPlace } from './place.ts'
import { sqlState, toOpeningError, toStorageError } from './storage-errors.ts'
import { migrate } from './migrations.ts'
import type { Query, Row, Rows } from './query.ts'
import { createTables, type Tables } from './tables.ts'

/** A database with our tables, by as many connections as are of use. */
export interface Database {
  readonly place: PostgresPlace
  readonly tables: Tables
  /** One statement, which is a transaction of its own. Rejects with StorageError; whether it was carried out is unknown then. */
  readonly query: Query
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly connections?: number
  /** How long an answer may take before it is said to be away. */
  readonly patienceMs?: number
}

const CONNECTIONS = 8
const PATIENCE_MS = 10_000

/**
 * Makes the tables, or brings them up to date. Rejects with StorageError `unusable` for a schema of a later version, and where `pg` is
 * not installed.
 */
export async function openDatabase(place: PostgresPlace, options: DatabaseOptions = {}): Promise<Database> {
  const pool = await openPool(place, options)
  const tables = createTables(place.schema)
  try {
    await inTransaction(pool, (query) => migrate(query, place.schema))
  } catch (error) {
    await pool.end()
    throw toOpeningError(place, error)
  }
  return {
    place,
    tables,
    async query(sql, values = []) {
      try {
        return toRows(await pool.query(sql, [...values]))
      } catch (error) {
        throw toStorageError(place, error)
      }
    },
    close: () => pool.end(),
  }
}

const INT8 = 20

async function openPool(place: PostgresPlace, options: DatabaseOptions): Promise<Pool> {
  const { connections = CONNECTIONS, patienceMs = PATIENCE_MS } = options
  const { default: pg } = await loadDriver()
  const pool = new pg.Pool({
    connectionString: place.url,
    application_name: 'hookbench',
    max: connections,
    keepAlive: true,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
    },
  })
  // A connection that breaks while nobody uses it is replaced by another one.
  pool.on('error', () => {})
  return pool
}

/** Loaded only where it is asked for: nobody else need have it. Rejects with StorageError that says what to install. */
export async function loadDriver(load = () => import('pg')): Promise<typeof Driver> {
  try {
    return await load()
  } catch (cause) {
    throw new StorageError(
      'unusable',
      'Cannot use PostgreSQL: its driver is not installed; install it with "npm install pg@8"',
      { cause },
    )
  }
}

/** How often two first starts at once may be in each other's way. */
const MOST_TRIES = 5
/** Another one made the schema, or a table of it, at the same moment. */
const MADE_MEANWHILE = /^(23505|42P06|42P07|40001|40P01|XX000)$/

async function inTransaction(pool: Pool, run: (query: Query) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const client = await pool.connect()
    // The statement under way says so, or the next one.
    client.on('error', () => {})
    try {
      await client.query('BEGIN')
      await run((sql, values = []) => client.query(sql, [...values]).then(toRows))
      await client.query('COMMIT')
      client.release()
      return
    } catch (error) {
      await rollBack(client)
      if (tries === MOST_TRIES || !MADE_MEANWHILE.test(sqlState(error) ?? '')) throw error
    }
  }
}

async function rollBack(client: PoolClient): Promise<void> {
  await client.query('ROLLBACK').then(
    () => client.release(),
    () => client.release(true),
  )
}

function toRows({ rows, rowCount }: QueryResult<Row>): Rows {
  return { rows, count: rowCount ?? 0 }
}
