import { StorageError } from '../../engine/state/log.ts'
import { appendRows, type Fence } from './append-rows.ts'
import type { Database } from './database.ts'
import type { EntryRow } from './entry-rows.ts'
import { switchGeneration } from './generations.ts'
import type { Lease } from './lease.ts'
import { createRemoteTruth, isAway, type KnownWorld, type UnderWay } from './remote-truth.ts'
import { createQuiet, createWriterState } from './writer-state.ts'

/** Writes a world in PostgreSQL, one statement at a time, as long as the world is this node's. */
export interface RemoteWriter {
  /** Why it writes nothing; undefined if it does. */
  readonly problem: StorageError | undefined
  /** Calls back with each problem, and with nothing when `recover` will do. */
  onProblem(listener: (problem: StorageError | undefined) => void): void
  /** What must be so for the next statement to change anything. */
  readonly fence: Fence
  /** Resolves when they are committed. Rejects with `problem`; whether they were is known when it is back. */
  append(rows: readonly EntryRow[]): Promise<void>
  /** Resolves when that generation is the one that counts, and rejects when it is known that it is not. `published` follows then. */
  switchTo(next: Pick<Fence, 'generation' | 'length'>): Promise<void>
  published(): void
  /** Writes again. Gives the rows whose outcome was unknown and that were committed. Throws the problem as long as it is one. */
  recover(): readonly EntryRow[]
  /** Ends what it waits for, and gives the world back. Never rejects. */
  close(): Promise<void>
}

export function createRemoteWriter(database: Database, lease: Lease): RemoteWriter {
  const { durationMs: leaseMs } = lease
  const state = createWriterState()
  const closing = new AbortController()
  const known: KnownWorld = { ...lease.world, underWay: undefined, regained: [] }
  const truth = createRemoteTruth(database, { lease, state, known, closing: closing.signal })
  const carryOut = createCarryOut(lease, { state, known, truth })
  const fence = () => toFence(lease, known)
  lease.onLost((isTaken) => {
    if (isTaken) void truth.look().catch(truth.goAway)
    else truth.goAway(new Error('the lease has run out'))
  })

  return {
    get problem() {
      return state.problem
    },
    onProblem: state.onChange,
    get fence() {
      return fence()
    },
    async append(rows) {
      await carryOut({ rows, known: createQuiet() }, () => appendRows(database, fence(), { rows, leaseMs }))
      known.length += rows.length
    },
    async switchTo(next) {
      const underWay = { next, known: createQuiet() }
      try {
        await carryOut(underWay, () => switchGeneration(database, fence(), { next, leaseMs }))
      } catch (error) {
        if (!isAway(error) || known.underWay !== underWay) throw error
        await underWay.known.promise
        known.underWay = undefined
      }
      ;({ generation: known.generation, length: known.length } = next)
    },
    published: () => void setImmediate(() => state.isBack && state.back()),
    recover() {
      if (state.problem && !state.isBack) throw state.problem
      state.clear()
      const rows = known.regained
      known.regained = []
      return rows
    },
    async close() {
      closing.abort()
      known.underWay?.known.reject(state.problem)
      await lease.release()
    },
  }
}

function toFence({ world, holder, epoch }: Lease, { generation, length }: KnownWorld): Fence {
  return { world: world.number, holder, epoch, generation, length }
}

interface CarryOutPorts {
  readonly state: ReturnType<typeof createWriterState>
  readonly known: KnownWorld
  readonly truth: ReturnType<typeof createRemoteTruth>
}

/** Whoever waits for a statement is told when the lease runs out, whatever becomes of the answer. */
function createCarryOut(lease: Lease, { state, known, truth }: CarryOutPorts) {
  return async (underWay: UnderWay, statement: () => Promise<boolean>): Promise<void> => {
    if (!lease.isHeld) truth.goAway(new Error('the lease has run out'))
    if (state.problem) throw state.problem
    known.underWay = underWay
    const sentAt = lease.now()
    try {
      const isDone = await state.untilProblem(statement())
      lease.extend(sentAt)
      if (!lease.isHeld) throw new Error('the answer came when the lease had run out')
      if (!isDone) {
        await truth.look()
        throw new Error('the statement was refused')
      }
    } catch (error) {
      if (error instanceof StorageError && error.kind === 'failed') truth.end(error)
      truth.goAway(error)
    }
    if (state.problem) throw state.problem
    known.underWay = undefined
  }
}
