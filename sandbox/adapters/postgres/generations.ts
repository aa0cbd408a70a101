import { crc32 } from 'node:zlib'
import type { Checkpoint } from '../../engine/state/log.ts'
import type { Fence } from './append-rows.ts'
import type { Database } from './database.ts'
import type { Row } from './query.ts'
import { signed, type EntryRow } from './entry-rows.ts'
import type { RowHead } from './confirmed-rows.ts'
import type { Tables } from './tables.ts'

/** A generation of a world's entries: `replace` begins another one. */
export interface GenerationPlace {
  /** The number of the world's row. */
  readonly world: number
  readonly generation: number
}

/** A statement that gives rows from a position on. */
export function selectRows({ entries }: Tables, { world, generation }: GenerationPlace, range: Range) {
  const sql = `
    SELECT position, head_sum, body_sum, head, body FROM ${entries}
    WHERE world = $1 AND generation = $2 AND position >= $3 AND position < $4 ORDER BY position`
  return { sql, values: [world, generation, range.from, range.from + range.count] }
}

interface Range {
  readonly from: number
  readonly count: number
}

/** The rows up to the first gap. */
export function toEntryRows(rows: readonly Row[], from: number): readonly EntryRow[] {
  return withoutGap(rows, from).map(({ head_sum, body_sum, head, body }) => ({
    head_sum: Number(head_sum),
    body_sum: Number(body_sum),
    head: String(head),
    body: String(body),
  }))
}

/** Heads alone behind a position, in their order, up to the first gap. */
export async function readHeads(
  database: Database,
  place: GenerationPlace,
  after: number,
): Promise<readonly RowHead[]> {
  const heads: RowHead[] = []
  for (;;) {
    const page = await readSomeHeads(database, place, after + heads.length)
    for (const head of page) heads.push(head)
    if (page.length < HEADS_AT_ONCE) return heads
  }
}

/** A statement with a million of them would take longer than one may. */
const HEADS_AT_ONCE = 20_000

async function readSomeHeads(
  { query, tables }: Database,
  { world, generation }: GenerationPlace,
  after: number,
): Promise<readonly RowHead[]> {
  const { rows } = await query(
    `SELECT position, head_sum, head FROM ${tables.entries}
     WHERE world = $1 AND generation = $2 AND position > $3 ORDER BY position LIMIT $4`,
    [world, generation, after, HEADS_AT_ONCE],
  )
  return withoutGap(rows, after + 1).map(({ head, head_sum }) => ({
    head: String(head),
    head_sum: Number(head_sum),
  }))
}

function withoutGap(rows: readonly Row[], from: number): readonly Row[] {
  const gap = rows.findIndex(({ position }, index) => Number(position) !== from + index)
  return gap === -1 ? rows : rows.slice(0, gap)
}

/** Undefined if there is none, if it is not what was written, or if it is of other entries. */
export async function readCheckpoint(
  { query, tables }: Database,
  { world, generation }: GenerationPlace,
): Promise<Checkpoint | undefined> {
  const { rows } = await query(
    `SELECT c.position, c.bytes_sum, c.bytes, c.head_sum = e.head_sum AS is_of_these
     FROM ${tables.checkpoints} c JOIN ${tables.entries} e USING (world, generation, position)
     WHERE world = $1 AND generation = $2`,
    [world, generation],
  )
  const { position: found, bytes, bytes_sum, is_of_these } = rows[0] ?? {}
  const position = Number(found)
  const isWhole =
    is_of_these === true && bytes instanceof Uint8Array && checkpointSum({ position, bytes }) === bytes_sum
  return isWhole ? { position, bytes } : undefined
}

/** Keeps it if those entries are there, and the world is this node's. */
export async function writeCheckpoint(
  { query, tables }: Database,
  { world, holder, epoch, generation }: Omit<Fence, 'length'>,
  { position, bytes }: Checkpoint,
): Promise<void> {
  const sum = checkpointSum({ position, bytes })
  await query(
    `INSERT INTO ${tables.checkpoints} (world, generation, position, head_sum, bytes_sum, bytes)
     SELECT w.number, e.generation, e.position, e.head_sum, $5, $6
     FROM ${tables.worlds} w JOIN ${tables.entries} e ON e.world = w.number AND e.generation = w.generation
     WHERE w.number = $1 AND w.holder = $7 AND w.epoch = $2 AND w.generation = $3 AND e.position = $4
     ON CONFLICT (world) DO UPDATE SET generation = excluded.generation, position = excluded.position,
       head_sum = excluded.head_sum, bytes_sum = excluded.bytes_sum, bytes = excluded.bytes`,
    [world, epoch, generation, position, sum, bytes, holder],
  )
}

function checkpointSum({ position, bytes }: Checkpoint): number {
  return signed(crc32(bytes, position >>> 0))
}

/** A number that no generation has had; undefined if the world is not this node's any more. */
export async function beginGeneration(
  { query, tables }: Database,
  { world, holder, epoch }: Pick<Fence, 'world' | 'holder' | 'epoch'>,
): Promise<number | undefined> {
  const { rows } = await query(
    `UPDATE ${tables.worlds} SET last_generation = last_generation + 1
     WHERE number = $1 AND holder = $2 AND epoch = $3 RETURNING last_generation`,
    [world, holder, epoch],
  )
  return rows[0] && Number(rows[0]['last_generation'])
}

/** From now on these are the entries of the world; false, and nothing was changed, if the fence is no more. */
export async function switchGeneration(
  { query, tables }: Database,
  { world, holder, epoch, generation, length }: Fence,
  { next, leaseMs }: { readonly next: Pick<Fence, 'generation' | 'length'>; readonly leaseMs: number },
): Promise<boolean> {
  const { count } = await query(
    `UPDATE ${tables.worlds}
     SET generation = $5, length = $6, lease_until = now() + $7 * interval '1 millisecond'
     WHERE number = $1 AND holder = $8 AND epoch = $2 AND generation = $3 AND length = $4 AND problem IS NULL`,
    [world, epoch, generation, length, next.generation, next.length, leaseMs, holder],
  )
  return count === 1
}
