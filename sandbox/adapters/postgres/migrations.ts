import { StorageError } from '../../engine/state/log.ts'
import type { Query } from './query.ts'
import { createTables, type Tables } from './tables.ts'

type Migration = (tables: Tables) => string

/**
 * Each brings a schema from the version before it to its own, which is its place in this list: none is ever changed. Who has a world
 * (`holder`, `node`), until when, and the fence (`epoch`) stand in its row beside what its log comes to (`generation`, `length`), so that
 * one statement can look at all of them. Nothing that is changed at each append is in an index, and what never changes is in another
 * row (`records`): each append writes the whole row anew.
 */
const MIGRATIONS: readonly Migration[] = [
  ({ worlds, entries, checkpoints, nodes }) => `
    CREATE TABLE ${worlds} (
      number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, name text NOT NULL UNIQUE,
      holder text, node text, lease_until timestamptz NOT NULL DEFAULT 'epoch', epoch int8 NOT NULL DEFAULT 0,
      generation int8 NOT NULL DEFAULT 1, last_generation int8 NOT NULL DEFAULT 1, length int8 NOT NULL DEFAULT 0, problem text
    ) WITH (fillfactor = 50);
    CREATE TABLE ${entries} (
      world int8 NOT NULL, generation int8 NOT NULL, position int8 NOT NULL,
      head_sum int4 NOT NULL, body_sum int4 NOT NULL, head text NOT NULL, body text NOT NULL,
      PRIMARY KEY (world, generation, position)
    ) WITH (toast_tuple_target = 8160);
    CREATE TABLE ${checkpoints} (
      world int8 PRIMARY KEY, generation int8 NOT NULL, position int8 NOT NULL,
      head_sum int4 NOT NULL, bytes_sum int4 NOT NULL, bytes bytea NOT NULL
    );
    ALTER TABLE ${checkpoints} ALTER COLUMN bytes SET STORAGE EXTERNAL;
    CREATE TABLE ${nodes} (
      name text PRIMARY KEY, url text NOT NULL, alive_until timestamptz NOT NULL
    ) WITH (fillfactor = 50);
  `,
  ({ worlds, records, shared, nodes }) => `
    CREATE TABLE ${records} (
      world int8 PRIMARY KEY REFERENCES ${worlds} ON DELETE CASCADE,
      client_id text NOT NULL UNIQUE, user_key text NOT NULL UNIQUE, token_key text NOT NULL UNIQUE,
      record text NOT NULL, is_whole boolean NOT NULL, made_at timestamptz NOT NULL DEFAULT now(), wake_at timestamptz, pause text
    );
    CREATE TABLE ${shared} (key text PRIMARY KEY, value text NOT NULL);
    ALTER TABLE ${nodes} DROP COLUMN url, ADD COLUMN identity text NOT NULL, ADD COLUMN service_url text NOT NULL,
      ADD COLUMN bench_url text NOT NULL, ADD COLUMN ca_pem text NOT NULL;
  `,
  // One that is written while its world is removed goes with that, or is refused.
  ({ worlds, checkpoints }) => `
    DELETE FROM ${checkpoints} WHERE world NOT IN (SELECT number FROM ${worlds});
    ALTER TABLE ${checkpoints} ADD FOREIGN KEY (world) REFERENCES ${worlds} ON DELETE CASCADE;
  `,
]

const SCHEMA_VERSION = MIGRATIONS.length

/** Within a transaction. Throws StorageError `unusable` for a schema of a later version. */
export async function migrate(query: Query, schema: string): Promise<void> {
  const versions = `"${schema}".versions`
  // Asked first: who may not make a schema may use one that is there.
  const { rows } = await query('SELECT to_regclass($1) IS NOT NULL AS is_there', [versions])
  if (rows[0]?.['is_there'] !== true) {
    await query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
    await query(
      `CREATE TABLE IF NOT EXISTS ${versions} (version int4 PRIMARY KEY, made_at timestamptz NOT NULL)`,
    )
  }
  const version = await readVersion(query, versions)
  if (version === SCHEMA_VERSION) return
  // One after the other: who waited finds that it is done.
  await query(`LOCK TABLE ${versions} IN ACCESS EXCLUSIVE MODE`)
  const found = await readVersion(query, versions)
  if (found > SCHEMA_VERSION)
    throw new StorageError(
      'unusable',
      `Cannot use schema "${schema}": its version is ${found}, and this Hookbench knows ${SCHEMA_VERSION}; ` +
        'use the Hookbench that the other nodes have, or another schema with ?schema= in the URL',
    )
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < found) continue
    await query(migration(createTables(schema)))
    await query(`INSERT INTO ${versions} VALUES ($1, now())`, [index + 1])
  }
}

async function readVersion(query: Query, versions: string): Promise<number> {
  const { rows } = await query(`SELECT coalesce(max(version), 0) AS version FROM ${versions}`)
  return Number(rows[0]?.['version'])
}
