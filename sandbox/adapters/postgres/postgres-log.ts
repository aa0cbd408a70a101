import type { Checkpoint, Log, StorageError } from '../../engine/state/log.ts'
import type { Database } from './database.ts'
import type { EntryCopy } from './entry-copy.ts'
import { writeCheckpoint } from './generations.ts'
import type { Lease } from './lease.ts'
import { openCopy, type OpenedCopy } from './open-copy.ts'
import { createRemoteWriter, type RemoteWriter } from './remote-writer.ts'
import { createStagedCopy } from './staged-copy.ts'
import { removeGenerations, type WorldRow } from './world-rows.ts'

/** A log that is here bit by bit after it was opened. */
export interface PostgresLog extends Log {
  /** Resolves when all that it had then is here: until then some reads wait for PostgreSQL, and throw if that is away. */
  readonly filled: Promise<void>
}

/** The log of a world that this node holds the lease of. Closing it gives the world back. */
export async function openPostgresLog(database: Database, lease: Lease): Promise<PostgresLog> {
  try {
    const opened = await openCopy(database, lease)
    forgetOthers(database, lease.world)
    return createPostgresLog(database, lease, opened)
  } catch (error) {
    await lease.release()
    throw error
  }
}

function createPostgresLog(database: Database, lease: Lease, opened: OpenedCopy): PostgresLog {
  const writer = createRemoteWriter(database, lease)
  const own = { copy: opened.copy }
  const shipping = createShipping(writer, own)
  const checkpoints = createCheckpointUpload(database, () => writer.fence)
  const adopt = (staged: EntryCopy) => {
    own.copy.close()
    own.copy = staged
  }
  let closed: Promise<void> | undefined

  async function close(): Promise<void> {
    await shipping.end()
    await checkpoints.settle()
    await writer.close()
    own.copy.close()
  }

  return {
    isRemote: true,
    filled: opened.filled,
    onProblem: shipping.onProblem,
    get length() {
      return own.copy.length
    },
    append(entries) {
      refuse(writer)
      own.copy.append(entries)
    },
    sync: shipping.sync,
    recover: () => own.copy.regain(writer.recover()),
    stage() {
      refuse(writer)
      return createStagedCopy(database, { world: lease.world.name, writer, adopt })
    },
    read: (position) => own.copy.read(position),
    heads: (after = 0) => own.copy.heads(after),
    keepsCheckpoints: true,
    readCheckpoint: () => own.copy.readCheckpoint(),
    writeCheckpoint(checkpoint) {
      const of = own.copy
      checkpoints.add(async () => {
        // What is not committed yet may be taken back.
        await shipping.settle()
        return of === own.copy && takeCheckpoint(of, checkpoint)
      })
    },
    close: () => void (closed ??= close()),
    get closed() {
      return closed ?? Promise.resolve()
    },
  }
}

/** Whether those entries are committed. */
function takeCheckpoint(copy: EntryCopy, checkpoint: Checkpoint): Checkpoint | false {
  if (checkpoint.position > copy.confirmed) return false
  copy.writeCheckpoint(checkpoint)
  return checkpoint
}

function refuse({ problem }: RemoteWriter): void {
  if (problem) throw problem
}

/** Of generations that nobody came to switch to, or that gave their place up. */
function forgetOthers(database: Database, { number, generation, lastGeneration }: WorldRow): void {
  const which = { below: lastGeneration + 1, except: generation }
  void removeGenerations(database, number, which).catch(() => {})
}

/** Brings to PostgreSQL what the copy has taken in: all of it in one statement, and one at a time. */
function createShipping(writer: RemoteWriter, own: { readonly copy: EntryCopy }) {
  let last: Promise<void> = Promise.resolve()
  let shipments = 0
  let onProblem: (problem: StorageError | undefined) => void = () => {}
  writer.onProblem((problem) => {
    if (problem) own.copy.goBack()
    onProblem(problem)
  })

  async function ship(): Promise<void> {
    refuse(writer)
    const rows = own.copy.unconfirmed()
    if (rows.length === 0) return
    await writer.append(rows)
    own.copy.confirm(rows.length)
  }

  /** At once if nothing is under way: what comes after it has a statement of its own. */
  function sync(): Promise<void> {
    const shipped = shipments++ === 0 ? ship() : last.catch(() => {}).then(ship)
    last = shipped.finally(() => shipments--)
    return last
  }

  return {
    sync,
    settle: () => last.catch(() => {}),
    end: () => sync().catch(() => {}),
    onProblem(listener: (problem: StorageError | undefined) => void): void {
      onProblem = listener
    },
  }
}

/** One after the other. One that fails is forgotten: the next start reads more. */
function createCheckpointUpload(
  database: Database,
  fence: () => Parameters<typeof writeCheckpoint>[1],
): { add(take: () => Promise<Checkpoint | false>): void; settle(): Promise<void> } {
  let last: Promise<void> = Promise.resolve()

  async function upload(take: () => Promise<Checkpoint | false>): Promise<void> {
    const checkpoint = await take()
    if (checkpoint) await writeCheckpoint(database, fence(), checkpoint)
  }

  return {
    add(take) {
      last = last.then(() => upload(take)).catch(() => {})
    },
    settle: () => last,
  }
}
