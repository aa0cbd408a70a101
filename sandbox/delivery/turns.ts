import type { DeliveryFaults } from '../faults/delivery-faults.ts'
import type { FaultState } from '../faults/fault.ts'
import type { JobRecord } from '../state/indexes.ts'
import { createLanes } from './lanes.ts'

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
  /** Resolves when none waits or is under way, those that a fault holds back aside. */
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
  let stopped = false

  async function runTurn(id: string): Promise<void> {
    const turn = taken.get(id)
    if (!turn) return
    if (await run(id, turn)) faultsOfAgain.set(id, turn.faults)
    taken.delete(id)
    turn.ended.resolve()
    onEnded(id)
  }

  async function holdUntil(letGo: Promise<void>, turn: Taken, { id }: JobRecord): Promise<void> {
    turn.held = true
    await letGo
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
      const letGo = again ? undefined : faults.hold(job, matched)
      if (letGo) void holdUntil(letGo, turn, job)
      else lanes.add(job)
      return turn.ended.promise
    },
    idle: lanes.idle,
    async stop() {
      stopped = true
      await lanes.stop()
      // Nobody is to wait for what is never started.
      for (const { ended } of taken.values()) ended.resolve()
    },
  }
}
