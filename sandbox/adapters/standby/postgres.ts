import type * as Driver from 'pg'
import { errorMessage } from '../../../spec/errors.ts'
import { StorageError } from '../../engine/state/storage-error.ts'

export interface Postgres {
  /**
   * Runs a statement in its own transaction. Replaces `hb` with the name of the schema. Rejects with StorageError `away`. The
   * outcome of the statement is then unknown.
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  close(): Promise<void>
}

/**
 * Creates a client that connects at the first statement. Rejects with StorageError `unusable` if the URL is invalid or `pg` is
 * not installed.
 */
export async function openPostgres(url: string, patienceMs: number): Promise<Postgres> {
  // Only a sandbox with a standby needs the driver.
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw unusable('the driver "pg" is not installed. Install it with "npm install pg@8"', cause)
  })
  const { schema, shown } = parsePostgresUrl(url, pg)
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'hookbench',
    // One connection each for changesets, for copies and for the lease.
    max: 3,
    keepAlive: true,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  })
  // The pool replaces a broken idle connection automatically.
  pool.on('error', () => {})
  return {
    async query<Row extends object>(statement: string, values: readonly unknown[] = []) {
      try {
        const { rows } = await pool.query<Row>(statement.replaceAll(/\bhb\b/g, `"${schema}"`), [...values])
        return rows
      } catch (cause) {
        // Every failure counts as temporary. For example, a full server, a wrong password or revoked permissions can be fixed
        // without a restart.
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
  // After failures at several addresses, the error itself has no message.
  const [first] = Object(cause).errors ?? [cause]
  const text = errorMessage(first)
  const isPasswordMissing = text.includes('client password must be a string')
  return isPasswordMissing
    ? 'the server requires a password. Put the password into HOOKBENCH_STORE or PGPASSWORD'
    : text
}
