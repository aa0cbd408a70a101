import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'
import type { Row } from './query.ts'

/** The row of a world: what its log comes to, and who writes it. */
export interface WorldRow {
  readonly number: number
  readonly name: string
  readonly holder: string | null
  readonly node: string | null
  readonly epoch: number
  readonly generation: number
  readonly lastGeneration: number
  readonly length: number
  /** Why it is not to be opened; null if it may be. */
  readonly problem: string | null
  /** How long the lease goes on, by the clock of PostgreSQL. */
  readonly leftMs: number
}

/** Who takes a world: a name of its own for each taking, and the node by the name that others know. */
interface Taker {
  readonly holder: string
  readonly node: string
  readonly leaseMs: number
}

/** A world as whoever has it knows it. */
interface HeldWorld {
  /** The number of its row. */
  readonly world: number
  readonly holder: string
  readonly epoch: number
}

const COLUMNS = `number, name, holder, node, epoch, generation, last_generation, length, problem,
  extract(epoch FROM greatest(lease_until, now()) - now()) * 1000 AS left_ms`

/** Adds a world; one of that name that is there stays as it is. */
export async function addWorld(
  { query, tables }: Database,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  await query(`INSERT INTO ${tables.worlds} (id, name) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, [
    id,
    name,
  ])
}

/** How long a world that is being removed is left to the node that does so. */
const REMOVAL_MS = 60_000

interface Removal {
  readonly node: string
  /** Leaves a world alone that is whole, or that somebody has. */
  readonly isUnfinished?: boolean
}

/**
 * Takes the world from whoever has it, and removes it with all that is of it. Its row goes last: what is broken off can be found,
 * and begun again.
 */
export async function removeWorld(database: Database, id: string, removal: Removal): Promise<void> {
  const { query, tables } = database
  const taken = await seizeWorld(database, id, removal)
  if (!taken) return
  await removeGenerations(database, taken.number, { below: taken.lastGeneration + 1 })
  // Who has taken it meanwhile to remove it, too, ends that.
  await query(`DELETE FROM ${tables.worlds} WHERE number = $1 AND epoch = $2`, [taken.number, taken.epoch])
}

/** Nobody writes from now on, and nobody takes it. */
async function seizeWorld(
  { query, tables }: Database,
  id: string,
  { node, isUnfinished = false }: Removal,
): Promise<WorldRow | undefined> {
  const { rows } = await query(
    `UPDATE ${tables.worlds} SET holder = $2, node = $3, epoch = epoch + 1, lease_until = ${leaseEnd(4)}
     WHERE id = $1 AND (NOT $5::boolean OR lease_until < now()
       AND EXISTS (SELECT 1 FROM ${tables.records} WHERE world = number AND NOT is_whole)) RETURNING ${COLUMNS}`,
    [id, randomUUID(), node, REMOVAL_MS, isUnfinished],
  )
  return rows.map(toWorldRow)[0]
}

export async function findWorld({ query, tables }: Database, name: string): Promise<WorldRow | undefined> {
  const { rows } = await query(`SELECT ${COLUMNS} FROM ${tables.worlds} WHERE name = $1`, [name])
  return rows.map(toWorldRow)[0]
}

/** Takes a world whose lease ran out or was given back; undefined if it is another's, or not there. Twice by one holder is once. */
export async function takeWorld(
  { query, tables }: Database,
  name: string,
  { holder, node, leaseMs }: Taker,
): Promise<WorldRow | undefined> {
  const { rows } = await query(
    `UPDATE ${tables.worlds} SET holder = $2, node = $3, epoch = epoch + 1, lease_until = ${leaseEnd(4)}
     WHERE name = $1 AND (holder IS NULL OR holder = $2 OR lease_until < now()) RETURNING ${COLUMNS}`,
    [name, holder, node, leaseMs],
  )
  return rows.map(toWorldRow)[0]
}

/**
 * Takes a world again that this holder has, with a later epoch: what the holder sent before and is still on its way changes nothing
 * from then on, and what was being carried out is waited for. Undefined if the world is another's.
 */
export async function retakeWorld(
  { query, tables }: Database,
  world: number,
  { holder, epoch, leaseMs }: Pick<Taker, 'holder' | 'leaseMs'> & { readonly epoch: number },
): Promise<WorldRow | undefined> {
  const { rows } = await query(
    `UPDATE ${tables.worlds} SET epoch = $3, lease_until = ${leaseEnd(4)}
     WHERE number = $1 AND holder = $2 AND epoch < $3 RETURNING ${COLUMNS}`,
    [world, holder, epoch, leaseMs],
  )
  return rows.map(toWorldRow)[0]
}

/** Extends leases, each if its holder and its epoch are those of the world still; gives the numbers of those that are. */
export async function extendLeases(
  { query, tables }: Database,
  held: readonly HeldWorld[],
  leaseMs: number,
): Promise<ReadonlySet<number>> {
  const { rows } = await query(
    `UPDATE ${tables.worlds} AS each SET lease_until = ${leaseEnd(3)}
     FROM unnest($1::int8[], $2::int8[], $4::text[]) AS held (number, epoch, holder)
     WHERE each.number = held.number AND each.epoch = held.epoch AND each.holder = held.holder RETURNING each.number`,
    [
      held.map(({ world }) => world),
      held.map(({ epoch }) => epoch),
      leaseMs,
      held.map(({ holder }) => holder),
    ],
  )
  return new Set(rows.map(({ number }) => Number(number)))
}

/** Gives a world back, for anyone to take at once. */
export async function releaseWorld(
  { query, tables }: Database,
  { world, holder, epoch }: HeldWorld,
): Promise<void> {
  await query(
    `UPDATE ${tables.worlds} SET holder = NULL, node = NULL, lease_until = 'epoch'
     WHERE number = $1 AND holder = $2 AND epoch = $3`,
    [world, holder, epoch],
  )
}

/** Says in its row why a world is not to be opened, until somebody who looked into it takes that away. */
export async function refuseWorld(
  { query, tables }: Database,
  world: number,
  problem: string,
): Promise<void> {
  await query(`UPDATE ${tables.worlds} SET problem = $2 WHERE number = $1 AND problem IS NULL`, [
    world,
    problem,
  ])
}

export async function readWorld({ query, tables }: Database, world: number): Promise<WorldRow | undefined> {
  const { rows } = await query(`SELECT ${COLUMNS} FROM ${tables.worlds} WHERE number = $1`, [world])
  return rows.map(toWorldRow)[0]
}

/** How many entries go at once: nobody else waits for them long. */
const ENTRIES_AT_ONCE = 5_000

/** Removes what no world reads: generations below one, but for the one that counts. */
export async function removeGenerations(
  { query, tables }: Database,
  world: number,
  { below, except = 0 }: { readonly below: number; readonly except?: number },
): Promise<void> {
  const sql = `
    DELETE FROM ${tables.entries} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${tables.entries} WHERE world = $1 AND generation < $2 AND generation <> $3 LIMIT ${ENTRIES_AT_ONCE}
    ))`
  for (let count = ENTRIES_AT_ONCE; count === ENTRIES_AT_ONCE;)
    ({ count } = await query(sql, [world, below, except]))
}

function leaseEnd(parameter: number): string {
  return `now() + $${parameter} * interval '1 millisecond'`
}

function toWorldRow(row: Row): WorldRow {
  const { name, holder, node, problem } = row
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    number: Number(row['number']),
    name: String(name),
    holder: text(holder),
    node: text(node),
    epoch: Number(row['epoch']),
    generation: Number(row['generation']),
    lastGeneration: Number(row['last_generation']),
    length: Number(row['length']),
    problem: text(problem),
    leftMs: Number(row['left_ms']),
  }
}
