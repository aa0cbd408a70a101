import type { DeliveryFaults, Held } from '../faults/delivery-faults.ts'
import type { FaultState } from '../state/fault.ts'
import type { JobRecord } from '../state/indexes.ts'
import { createLanes, type Lanes } from './lanes.ts'

/** A job whose next attempt is due: it waits in a lane, is under way, or is held back by a fault. */
export interface Turn {
  /** The faults that apply to the attempt. */
  readonly faults: readonly FaultState[]
  /** Resent by hand. Source: §8 */
  readonly manual: boolean
}

/** Gives each due job its turn, one at a time for each job. */
export interface Turns {
  /** How many wait or are under way, those that a fault holds back aside. */
  readonly pending: number
  has(id: string): boolean
  /** Resolves when the attempt has ended; the one that the job has a turn for already, if it has. */
  take(job: JobRecord, manual: boolean): Promise<void>
  /** Resolves when none waits or is under way, those aside that a fault holds back without an end. */
  idle(): Promise<void>
  /** Starts nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

export interface TurnsPorts {
  readonly faults: DeliveryFaults
  readonly concurrency?: number | undefined
  /** The job as it stands; undefined if it is gone. */
  readonly present: (id: string) => JobRecord | undefined
  /** Makes the attempt; tells whether it is to be made again as if it had not been. Never rejects. */
  readonly run: (id: string, turn: Turn) => Promise<boolean>
  /** Told of each job whose turn has ended. */
  readonly onEnded: (id: string) => void
}

interface Taken extends Turn {
  readonly ended: PromiseWithResolvers<void>
  held: boolean
}

export function createTurns({ faults, concurrency, present, run, onEnded }: TurnsPorts): Turns {
  const taken = new Map<string, Taken>()
  const lanes = createLanes(({ id }) => runTurn(id), concurrency)
  /** What was matched for an attempt that did not happen: it is not to be matched, or held back, once more. */
  const faultsOfAgain = new Map<string, readonly FaultState[]>()
  const timed = createTimed()
  let stopped = false

  async function runTurn(id: string): Promise<void> {
    const turn = taken.get(id)
    if (!turn) return
    if (await run(id, turn)) faultsOfAgain.set(id, turn.faults)
    taken.delete(id)
    turn.ended.resolve()
    onEnded(id)
  }

  async function holdUntil(held: Held, turn: Taken, { id }: JobRecord): Promise<void> {
    turn.held = true
    await timed.wait(held)
    turn.held = false
    const job = present(id)
    if (job && !stopped) return lanes.add(job)
    taken.delete(id)
    turn.ended.resolve()
  }

  return {
    get pending() {
      return [...taken.values()].filter(({ held }) => !held).length
    },
    has: (id) => taken.has(id),
    take(job, manual) {
      const known = taken.get(job.id)
      if (known) return known.ended.promise
      const again = faultsOfAgain.get(job.id)
      faultsOfAgain.delete(job.id)
      const matched = again ?? faults.match(job)
      const turn: Taken = { faults: matched, manual, ended: Promise.withResolvers(), held: false }
      taken.set(job.id, turn)
      // What a hand resends is not held back.
      const held = again || manual ? undefined : faults.hold(job, matched)
      if (held) void holdUntil(held, turn, job)
      else lanes.add(job)
      return turn.ended.promise
    },
    idle: () => timed.quiet(lanes),
    async stop() {
      stopped = true
      timed.clear()
      await lanes.stop()
      // Nobody is to wait for what is never started.
      for (const { ended } of taken.values()) ended.resolve()
    },
  }
}

/** What is held back, but goes on by itself after some time. */
function createTimed() {
  const waiting = new Set<Promise<void>>()
  return {
    async wait({ release, timed }: Held): Promise<void> {
      if (timed) waiting.add(release)
      await release
      waiting.delete(release)
    },
    /** Resolves when the lanes are idle and nothing waits for its time. */
    async quiet(lanes: Pick<Lanes, 'idle'>): Promise<void> {
      for (await lanes.idle(); waiting.size > 0; await lanes.idle()) await Promise.all(waiting)
    },
    clear: () => waiting.clear(),
  }
}
