import type * as Driver from 'pg'
import { errorMessage } from '../../../spec/errors.ts'
import { StorageError } from '../../engine/state/storage-error.ts'

export interface Postgres {
  readonly schema: string
  /**
   * Runs one statement, which is a transaction of its own. `hb.` stands for the schema. Rejects with StorageError `away`: then the
   * outcome of the statement is unknown.
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  close(): Promise<void>
}

/** One for changesets, one for copies, one for the lease. */
const CONNECTIONS = 3

/** Connects with the first statement. Rejects with StorageError `unusable` for a URL that is wrong, or if `pg` is not installed. */
export async function openPostgres(text: string, patienceMs: number): Promise<Postgres> {
  const { url, schema, shown } = parsePostgresUrl(text)
  const { default: pg } = await loadDriver()
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'hookbench',
    max: CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  })
  // The pool replaces an idle connection that breaks.
  pool.on('error', () => {})
  return {
    schema,
    async query<Row extends object>(statement: string, values: readonly unknown[] = []) {
      try {
        const { rows } = await pool.query<Row>(statement.replaceAll(/\bhb\./g, `"${schema}".`), [...values])
        return rows
      } catch (cause) {
        // Any failure can end without a restart: a server that is full or read-only, a wrong password, revoked rights.
        const detail = describe(cause)
        throw new StorageError('away', `Cannot use PostgreSQL (${shown}): ${detail}`, { cause, detail })
      }
    },
    close: () => pool.end(),
  }
}

const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/
/** Stands for a host that is missing: the URL parser rejects "user@/database". */
const NO_HOST = '-'

/** Reads `postgres://user:password@host:port/database?schema=name`. The host can be a folder of Unix sockets, also as `?host=`. */
export function parsePostgresUrl(text: string) {
  const named = text.replace(/^(postgres(?:ql)?:\/\/[^/?]*@)\//, `$1${NO_HOST}/`)
  const url = /^postgres(ql)?:\/\//.test(named) && URL.canParse(named) ? new URL(named) : undefined
  if (!url) throw unusable('its URL is not one of PostgreSQL; write it as postgres://host:5432/database')
  const schema = url.searchParams.get('schema') ?? 'hookbench'
  url.searchParams.delete('schema')
  if (!SCHEMA_NAME.test(schema))
    throw unusable(
      `schema "${schema}" is not of lower-case letters, digits and "_"; give another with ?schema=`,
    )
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.host).replace(NO_HOST, '')
  // Without the password.
  const shown = `${host || 'localhost'}${url.pathname}, schema ${schema}`
  return { url: url.href.replace(`@${NO_HOST}/`, '@/'), schema, shown }
}

/** Only a process with a standby needs the driver. */
export async function loadDriver(load = () => import('pg')): Promise<typeof Driver> {
  try {
    return await load()
  } catch (cause) {
    throw unusable('its driver is not installed; install it with "npm install pg@8"', cause)
  }
}

export function unusable(problem: string, cause?: unknown): StorageError {
  return new StorageError('unusable', `Cannot use PostgreSQL: ${problem}`, { cause })
}

function describe(cause: unknown): string {
  // Several addresses that were tried are one error without a message.
  const errors: unknown = Object(cause).errors
  const text = errorMessage(Array.isArray(errors) ? errors[0] : cause)
  return /client password must be a string/.test(text)
    ? 'it asks for a password; put it into HOOKBENCH_STORE or PGPASSWORD'
    : text
}
