import { errorMessage } from '../../../spec/errors.ts'
import { passes, StorageError } from '../../engine/state/log.ts'
import type { Fence } from './append-rows.ts'
import type { Database } from './database.ts'
import type { EntryRow } from './entry-rows.ts'
import type { Lease } from './lease.ts'
import { pause } from './pause.ts'
import { readWorld, refuseWorld, type WorldRow } from './world-rows.ts'
import type { WriterState } from './writer-state.ts'

/** What the node knows of its world in PostgreSQL. */
export interface KnownWorld extends Pick<Fence, 'generation' | 'length'> {
  generation: number
  length: number
  /** What was sent and has no answer. */
  underWay: UnderWay | undefined
  /** What had no answer and turned out to be committed. */
  regained: readonly EntryRow[]
}

export interface UnderWay {
  readonly rows?: readonly EntryRow[]
  readonly next?: Pick<Fence, 'generation' | 'length'>
  /** When it is known whether it was carried out. */
  readonly known: PromiseWithResolvers<void>
}

/** How a node finds out how its world stands when it does not know. */
export interface RemoteTruth {
  /** Nothing is sent from now on, until it is known. */
  goAway(cause: unknown): void
  /** Takes the world again and sees what became of what was under way. Rejects as long as it cannot be reached. */
  look(): Promise<void>
  /** For good. */
  end(error: StorageError): void
}

interface RemoteTruthPorts {
  readonly lease: Lease
  readonly state: WriterState
  readonly known: KnownWorld
  readonly closing: AbortSignal
}

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

export function createRemoteTruth(database: Database, ports: RemoteTruthPorts): RemoteTruth {
  const { lease, state, known, closing } = ports
  const { name } = lease.world

  function goAway(cause: unknown): void {
    if (state.problem) return
    state.set(toAway(name, cause))
    void comeBack(FIRST_PAUSE_MS)
  }

  function end(error: StorageError): void {
    lease.drop()
    state.set(error)
    known.underWay?.known.reject(error)
  }

  async function comeBack(waitMs: number): Promise<void> {
    if (closing.aborted) return
    try {
      await look()
    } catch (error) {
      if (!isAway(error)) return end(toFinal(name, error))
      await pause(waitMs, closing)
      await comeBack(Math.min(2 * waitMs, LONGEST_PAUSE_MS))
    }
  }

  async function look(): Promise<void> {
    const found = await lease.retake()
    if (!found) return lookWhy(await readWorld(database, lease.world.number))
    const { rows = [], next } = known.underWay ?? {}
    if (found.problem === null && isAt(found, next)) {
      // Who waits for it says when others have taken the place of all here, too.
      state.isBack = true
      return known.underWay?.known.resolve()
    }
    const longer = { generation: known.generation, length: known.length + rows.length }
    const isLonger = rows.length > 0 && isAt(found, longer)
    if (found.problem !== null || !(isLonger || isAt(found, known)))
      return end(await closeWorld(database, ports, found))
    known.regained = isLonger ? rows : []
    known.length = found.length
    known.underWay?.known.reject(state.problem)
    known.underWay = undefined
    state.back()
  }

  async function lookWhy(found: WorldRow | undefined): Promise<void> {
    // Of two looks at once the later one may have come first.
    if (found?.holder === lease.holder) return look()
    end(found && lacksWork(found, ports) ? await closeWorld(database, ports, found) : whyNot(name, found))
  }

  return { goAway, look, end }
}

export function isAway(error: unknown): boolean {
  return error instanceof StorageError && passes(error)
}

type Place = Pick<Fence, 'generation' | 'length'>

function isAt({ generation, length }: Place, place: Place | undefined): boolean {
  return generation === place?.generation && length === place.length
}

type Holding = Pick<RemoteTruthPorts, 'lease' | 'known'>

/** Whether another database has taken the place of the one in which this node took the world and wrote. */
function lacksWork(found: WorldRow, { lease, known }: Holding): boolean {
  return isBehind(found, known) || isBeforeTaking(found, lease)
}

/** The database is not the one that was written to, or not all of it: nobody goes on from there unasked. */
async function closeWorld(
  database: Database,
  { lease, known }: Holding,
  found: WorldRow,
): Promise<StorageError> {
  const { number, name } = lease.world
  const detail = found.problem ?? describeLoss(found, known)
  await refuseWorld(database, number, detail)
  await lease.release()
  return new StorageError('gone', `Cannot go on with world "${name}": ${detail}`, { detail })
}

function isBehind(found: Place, { generation, length }: Place): boolean {
  return found.generation < generation || (found.generation === generation && found.length < length)
}

/** Who takes a world from a node raises the epoch of that node. */
function isBeforeTaking({ holder, epoch }: WorldRow, lease: Lease): boolean {
  return epoch < lease.epoch || (epoch === lease.epoch && holder !== null)
}

function toAway(world: string, cause: unknown): StorageError {
  if (cause instanceof StorageError && passes(cause)) return cause
  const detail = errorMessage(cause)
  return new StorageError('away', `Cannot write world "${world}" in PostgreSQL: ${detail}`, { cause, detail })
}

function toFinal(world: string, cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause
  return new StorageError('failed', `Cannot write world "${world}" in PostgreSQL: ${String(cause)}`, {
    cause,
  })
}

function whyNot(name: string, found: WorldRow | undefined): StorageError {
  if (!found) return new StorageError('gone', `World "${name}" was removed from PostgreSQL`)
  const who = found.node === null ? 'another node' : `node "${found.node}"`
  return new StorageError('fenced', `World "${name}" was taken by ${who}`)
}

function describeLoss(found: Place, known: Place): string {
  return `PostgreSQL ${describePlace(found, known)}: a replica without the last ones may have taken its place`
}

function describePlace(found: Place, { generation, length }: Place): string {
  if (found.generation !== generation)
    return `has generation ${found.generation}, and had confirmed ${generation}`
  if (found.length !== length) return `has ${found.length} entries, and had confirmed ${length}`
  return 'does not know that this node took it'
}
