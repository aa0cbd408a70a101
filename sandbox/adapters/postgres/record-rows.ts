import { isError } from '../../../spec/errors.ts'
import { digestSecret } from '../../engine/core/same-secret.ts'
import { StorageError } from '../../engine/state/log.ts'
import {
  WorldTakenError,
  type WorldKey,
  type WorldPause,
  type WorldRecord,
} from '../../engine/state/world-directory.ts'
import { keyOf } from '../../engine/state/world-index.ts'
import type { Database } from './database.ts'

/** Adds a world and what it is known by; nobody finds one that is not whole. Rejects with WorldTakenError. */
export async function addRecord(
  { query, tables }: Database,
  world: WorldRecord,
  { isWhole }: { readonly isWhole: boolean },
): Promise<void> {
  const { id, name, credentials } = world
  const digest = (key: WorldKey) => digestSecret(keyOf(world, key)).toString('base64')
  const sql = `
    WITH added AS (INSERT INTO ${tables.worlds} (id, name) VALUES ($1, $2) RETURNING number)
    INSERT INTO ${tables.records} (world, client_id, user_key, token_key, record, is_whole)
    SELECT number, $3, $4, $5, $6, $7 FROM added`
  const keys = [id, name, credentials.client_id, digest('user'), digest('controlToken')]
  const values = [...keys, JSON.stringify(world), isWhole]
  await query(sql, values).catch((error: unknown) => {
    throw toTaken(error) ?? error
  })
}

const KEY_BY_CONSTRAINT: Readonly<Record<string, WorldKey>> = {
  worlds_id_key: 'id',
  worlds_name_key: 'name',
  records_client_id_key: 'clientId',
  records_user_key_key: 'user',
  records_token_key_key: 'controlToken',
}

function toTaken(error: unknown): WorldTakenError | undefined {
  const cause: unknown = error instanceof StorageError ? error.cause : undefined
  const constraint: unknown = isError(cause) ? Reflect.get(cause, 'constraint') : undefined
  const key = typeof constraint === 'string' ? KEY_BY_CONSTRAINT[constraint] : undefined
  return key && new WorldTakenError(key)
}

/** From now on it is found, and opened by whichever node comes first. */
export async function publishRecord(
  { query, tables }: Database,
  id: string,
  pause: WorldPause | undefined,
): Promise<void> {
  await query(
    `UPDATE ${tables.records} SET is_whole = true, wake_at = now(), pause = $2
     WHERE world = (SELECT number FROM ${tables.worlds} WHERE id = $1)`,
    [id, pause === undefined ? null : JSON.stringify(pause)],
  )
}

/** It is found no more; what names it stays taken. False if it was hidden, or is not there. */
export async function hideRecord({ query, tables }: Database, id: string): Promise<boolean> {
  const { count } = await query(
    `UPDATE ${tables.records} SET is_whole = false
     WHERE world = (SELECT number FROM ${tables.worlds} WHERE id = $1) AND is_whole`,
    [id],
  )
  return count === 1
}

/** Oldest first. */
export async function readRecords({ query, tables }: Database): Promise<readonly WorldRecord[]> {
  const { rows } = await query(`SELECT record FROM ${tables.records} WHERE is_whole ORDER BY world`)
  return rows.map(({ record }): WorldRecord => JSON.parse(String(record)))
}

/** Another text whenever worlds were added or removed. */
export async function readMark({ query, tables }: Database): Promise<string> {
  const { rows } = await query(
    `SELECT count(*) || ' ' || coalesce(max(world), 0) AS mark FROM ${tables.records} WHERE is_whole`,
  )
  return String(rows[0]?.['mark'])
}

/** The id of the world with this number. */
export async function readId({ query, tables }: Database, world: number): Promise<string | undefined> {
  const { rows } = await query(`SELECT id FROM ${tables.worlds} WHERE number = $1`, [world])
  return rows[0] && String(rows[0]['id'])
}

/** How a world was given back; `isLeft` if it was not, or something is due in it: somebody should have it, and nobody had. */
interface TakenPause {
  readonly pause: WorldPause | undefined
  readonly isLeft: boolean
}

/**
 * Whoever has opened it leaves it, however that comes, to be opened again at once, until `writePause` says otherwise. Gives what that
 * said before.
 */
export async function takePause({ query, tables }: Database, id: string): Promise<TakenPause> {
  const { rows } = await query(
    `WITH found AS (
       SELECT world, pause, coalesce(wake_at <= now(), false) AS is_left
       FROM ${tables.records} JOIN ${tables.worlds} ON number = world WHERE id = $1 FOR UPDATE OF records
     )
     UPDATE ${tables.records} AS each SET wake_at = now(), pause = NULL FROM found WHERE each.world = found.world
     RETURNING found.pause, found.is_left`,
    [id],
  )
  const pause = rows[0]?.['pause']
  return {
    pause: typeof pause === 'string' ? JSON.parse(pause) : undefined,
    isLeft: rows[0]?.['is_left'] === true,
  }
}

/** Says how a world stands that was given back, and when it is due, if nobody has taken it since. */
export async function writePause(
  { query, tables }: Database,
  { id, epoch, inMs }: { readonly id: string; readonly epoch: number; readonly inMs: number | null },
  pause: WorldPause,
): Promise<void> {
  await query(
    `UPDATE ${tables.records} SET wake_at = now() + $3 * interval '1 millisecond', pause = $4
     WHERE world = (SELECT number FROM ${tables.worlds} WHERE id = $1 AND epoch = $2 AND holder IS NULL)`,
    [id, epoch, inMs, JSON.stringify(pause)],
  )
}

/** How many worlds a node takes up at once: the others are for the next look, or for another node. */
const MOST_AT_ONCE = 20

/** The ids of worlds that nobody has and somebody should: what a node left behind, and what is due. */
export async function findOrphans({ query, tables }: Database): Promise<readonly string[]> {
  const { rows } = await query(
    `SELECT w.id FROM ${tables.worlds} w JOIN ${tables.records} r ON r.world = w.number
     WHERE r.is_whole AND w.problem IS NULL
       AND CASE WHEN w.holder IS NULL THEN r.wake_at <= now() ELSE w.lease_until < now() END
     ORDER BY random() LIMIT ${MOST_AT_ONCE}`,
  )
  return rows.map(({ id }) => String(id))
}

/** The ids of worlds that nobody finished to add or to remove: whoever did has no lease any more. */
export async function findUnfinished({ query, tables }: Database): Promise<readonly string[]> {
  const { rows } = await query(
    `SELECT w.id FROM ${tables.worlds} w JOIN ${tables.records} r ON r.world = w.number
     WHERE NOT r.is_whole AND w.lease_until < now() AND r.made_at < now() - interval '10 minutes' ORDER BY w.number`,
  )
  return rows.map(({ id }) => String(id))
}

/** Which node has which world, by the ids of worlds. */
export async function readOwners({ query, tables }: Database): Promise<ReadonlyMap<string, string>> {
  const { rows } = await query(
    `SELECT id, node FROM ${tables.worlds} WHERE holder IS NOT NULL AND lease_until >= now()`,
  )
  return new Map(rows.map(({ id, node }) => [String(id), String(node)]))
}
