import { createHash } from 'node:crypto'
import type { FaultPlace } from '../../../spec/faults.ts'
import type { FaultMatch } from '../../../spec/generated/control-types.ts'
import type { FaultState, FaultStateOn, Write } from '../state/entries.ts'
import type { View } from '../state/view.ts'

export interface FaultTarget<Place extends FaultPlace> {
  readonly on: Place
  agreesWith(match: FaultMatch): boolean
  /** The delivery attempt. Undefined for a call to the service API. */
  readonly attempt?: { readonly job_id: string; readonly attempt: number }
  isExempt(fault: FaultStateOn<Place>): boolean
}

/** A function that returns the faults that apply to a target, oldest first. Counts each match. */
export type Matcher = <Place extends FaultPlace>(target: FaultTarget<Place>) => readonly FaultStateOn<Place>[]

/** Creates a function that finds the faults for a target. `record` stores the match counts synchronously and never throws. */
export function createMatcher(
  view: Pick<View, 'faults'>,
  record: (writes: readonly Write[]) => void,
): Matcher {
  return <Place extends FaultPlace>(target: FaultTarget<Place>) => {
    const faults = view.faults()
    if (faults.length === 0) return []
    return faults.filter((fault): fault is FaultStateOn<Place> => {
      if (!isOn(fault, target.on) || !target.agreesWith(fault.match) || target.isExempt(fault)) return false
      const { id, times, applied: before } = fault
      if (times !== null && before >= times) return false
      const applied = isDue(fault)
      record([{ kind: 'fault-use', fault_id: id, applied, ...target.attempt }])
      return applied
    })
  }
}

function isOn<Place extends FaultPlace>(fault: FaultState, place: Place): fault is FaultStateOn<Place> {
  return fault.on === place
}

function isDue({ matched, skip, probability, seed }: FaultState): boolean {
  return matched >= skip && (probability === 1 || drawChance(seed, matched) < probability)
}

function drawChance(seed: number, index: number): number {
  return createHash('sha256').update(`${seed}/${index}`).digest().readUInt32BE() / 2 ** 32
}
