import type * as Driver from 'pg'
import { errorMessage } from '../../../spec/errors.ts'
import { StorageError } from '../../engine/state/storage-error.ts'

export interface Postgres {
  /** Runs a statement. Replaces `hb` with the schema name. After StorageError `away`, the statement may have been executed. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  close(): Promise<void>
}

/** Connects at the first statement. Rejects with StorageError `unusable` for an invalid URL or if `pg` is missing. */
export async function openPostgres(url: string, patienceMs: number): Promise<Postgres> {
  // Imports the driver `pg` only here, because only a sandbox with a standby needs it.
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw unusable('the driver "pg" is not installed. Install it with "npm install pg@8"', cause)
  })
  const { schema, shown } = parsePostgresUrl(url, pg)
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'hookbench',
    // The pool has one connection for changesets, one for copies and one for the lease.
    max: 3,
    keepAlive: true,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  })
  // Ignores errors of idle connections, because the pool replaces a broken connection automatically.
  pool.on('error', () => {})
  return {
    async query<Row extends object>(statement: string, values: readonly unknown[] = []) {
      try {
        const { rows } = await pool.query<Row>(statement.replaceAll(/\bhb\b/g, `"${schema}"`), [...values])
        return rows
      } catch (cause) {
        // Treats every failure as temporary, because a wrong password or a full server can be fixed without a restart.
        const detail = describe(cause)
        throw new StorageError('away', `Cannot use PostgreSQL (${shown}): ${detail}`, { cause, detail })
      }
    },
    close: () => pool.end(),
  }
}

/** Parses `postgres://user@host/database?schema=name`. Returns the schema, and the URL without its password. */
export function parsePostgresUrl(url: string, { Client }: Pick<typeof Driver, 'Client'>) {
  const schema = /[?&]schema=([^&]*)/.exec(url)?.[1] ?? 'hookbench'
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw unusable(
      `the name of schema "${schema}" must have only lower-case letters, digits and "_". Give another name with ?schema=`,
    )
  try {
    if (!/^postgres(ql)?:\/\//.test(url)) throw new TypeError('Not a URL of PostgreSQL')
    const { host, port, database = '' } = new Client({ connectionString: url })
    return { schema, shown: `${host}:${port}/${database}, schema ${schema}` }
  } catch (cause) {
    throw unusable('the URL is not a PostgreSQL URL. Write it as postgres://host:5432/database', cause)
  }
}

export function unusable(problem: string, cause?: unknown): StorageError {
  return new StorageError('unusable', `Cannot use PostgreSQL: ${problem}`, { cause })
}

function describe(cause: unknown): string {
  // If the connection fails at several addresses, only the inner errors have a message.
  const [first] = Object(cause).errors ?? [cause]
  const text = errorMessage(first)
  const isPasswordMissing = text.includes('client password must be a string')
  return isPasswordMissing
    ? 'the server requires a password. Put the password into HOOKBENCH_STORE or PGPASSWORD'
    : text
}
