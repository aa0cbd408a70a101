import { isDecodable } from '../../engine/state/checkpoint.ts'
import type { Checkpoint } from '../../engine/state/log.ts'
import type { Database } from './database.ts'
import { createEntryCopy, type EntryCopy } from './entry-copy.ts'
import { readCheckpoint, readHeads, selectRows, toEntryRows, type GenerationPlace } from './generations.ts'
import type { Lease } from './lease.ts'
import { pause } from './pause.ts'
import { createSyncReader, type SyncReader } from './sync-reader.ts'

/** Few enough that nobody waits for them. */
const ROWS_AT_ONCE = 250
const PAUSE_MS = 1_000
/** Of the time of a lease: what is left when a look for leases that are due was just missed is longer. */
const WAITING_SHARE = 1 / 3

/**
 * The node's own copy of what PostgreSQL has of a world: at once the last checkpoint and the heads behind it, or all of them
 * where there is none that this version can read: what a start needs. The rows follow beside the work at hand; who reads one before it has come waits for it.
 */
export async function openCopy(
  database: Database,
  { world, durationMs }: Pick<Lease, 'world' | 'durationMs'>,
): Promise<OpenedCopy> {
  const { name, number, generation, length } = world
  const place = { world: number, generation }
  const reader = createSyncReader(database.place, { patienceMs: durationMs * WAITING_SHARE })
  const checkpoint = await findCheckpoint(database, place, length)
  // All heads come where the start has to replay all of them: read one by one as it asks, they would hold up every world here.
  const after = checkpoint && isDecodable(checkpoint.bytes) ? checkpoint.position : 0
  const ahead = { after, heads: await readHeads(database, place, after) }
  const copy = createEntryCopy(name, {
    length,
    ahead,
    fetch(from, count) {
      const { sql, values } = selectRows(database.tables, place, { from, count })
      return toEntryRows(reader.query(sql, values), from)
    },
  })
  if (checkpoint) copy.writeCheckpoint(checkpoint)
  return { copy, filled: fill(database, { copy, place, reader }, length) }
}

async function findCheckpoint(
  database: Database,
  place: GenerationPlace,
  length: number,
): Promise<Checkpoint | undefined> {
  const checkpoint = await readCheckpoint(database, place)
  return checkpoint && checkpoint.position <= length ? checkpoint : undefined
}

export interface OpenedCopy {
  readonly copy: EntryCopy
  /** Resolves when all rows are here, or it was closed. Never rejects. */
  readonly filled: Promise<void>
}

interface Filling {
  readonly copy: EntryCopy
  readonly place: GenerationPlace
  readonly reader: SyncReader
}

/** The latest first: what is due was made not long ago. Never rejects. */
async function fill(database: Database, { copy, place, reader }: Filling, length: number): Promise<void> {
  const never = new AbortController().signal
  for (let end = length; end > 0 && !copy.isClosed();) {
    const from = Math.max(1, end - ROWS_AT_ONCE + 1)
    const { sql, values } = selectRows(database.tables, place, { from, count: end - from + 1 })
    const rows = await database.query(sql, values).catch(() => undefined)
    if (copy.isClosed()) break
    // A gap is told of when somebody reads there.
    if (rows) {
      copy.fill(from, toEntryRows(rows.rows, from))
      end = from - 1
    } else await pause(PAUSE_MS, never)
  }
  if (!copy.isClosed()) copy.endFilling()
  reader.close()
}
