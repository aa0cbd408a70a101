import { openDatabase, type Database, type DatabaseOptions } from './database.ts'
import { createLeaseKeeper } from './lease-keeper.ts'
import { acquireLease, type Acquisition, type Lease, type LeaseOptions } from './lease.ts'
import { parsePostgresUrl } from './place.ts'
import { openPostgresLog, type PostgresLog } from './postgres-log.ts'
import { addWorld, findWorld, removeWorld, type WorldRow } from './world-rows.ts'

/** One of the nodes of a database: takes worlds, and writes them as long as it has them. */
export interface PostgresNode {
  readonly database: Database
  /** Adds a world; one of that name that is there stays as it is. */
  add(world: { readonly id: string; readonly name: string }): Promise<void>
  find(name: string): Promise<WorldRow | undefined>
  /** Removes the world with this id and all that is of it. A node that has it finds it gone. */
  remove(id: string): Promise<void>
  /** The same for one that somebody began to add, or to remove, and that nobody is at any more. */
  removeUnfinished(id: string): Promise<void>
  /** Takes it if nobody has it; says who has it otherwise. Rejects with StorageError. */
  acquire(name: string): Promise<Acquisition>
  /** The log of a world that was taken; closing it gives the world back. If it rejects, the world was given back. */
  openLog(lease: Lease): Promise<PostgresLog>
  /** After all logs were closed. */
  close(): Promise<void>
}

/** How long a world has one writer after that was heard of last. */
const LEASE_MS = 10_000

/** Brings the tables up to date. Rejects with StorageError, with what to do. */
export async function openPostgresNode(
  url: string,
  {
    node,
    durationMs = LEASE_MS,
    ...options
  }: Partial<LeaseOptions> & DatabaseOptions & { readonly node: string },
): Promise<PostgresNode> {
  const database = await openDatabase(parsePostgresUrl(url), options)
  const keeper = createLeaseKeeper(database, durationMs)
  return {
    database,
    add: (world) => addWorld(database, world),
    find: (name) => findWorld(database, name),
    remove: (id) => removeWorld(database, id, { node }),
    removeUnfinished: (id) => removeWorld(database, id, { node, isUnfinished: true }),
    acquire: (name) => acquireLease(database, name, { node, durationMs, keeper }),
    openLog: (lease) => openPostgresLog(database, lease),
    async close() {
      keeper.close()
      await database.close()
    },
  }
}
