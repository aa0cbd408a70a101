import { createHash } from 'node:crypto'
import type { FaultPlace } from '../../../spec/faults.ts'
import type { FaultMatch } from '../../../spec/generated/control-types.ts'
import type { FaultState, FaultStateOn } from '../state/fault.ts'
import type { View } from '../state/view.ts'
import type { Write } from '../state/write.ts'

export interface MatcherPorts {
  readonly view: Pick<View, 'faults'>
  /** Takes the counts at once; never rejects. */
  readonly note: (writes: readonly Write[]) => void
}

/** Something that a fault may apply to. */
export interface FaultTarget<Place extends FaultPlace> {
  readonly on: Place
  agreesWith(match: FaultMatch): boolean
  /** The attempt that it is, if it is one. */
  readonly attempt?: { readonly job_id: string; readonly attempt: number }
  /** Whether a fault leaves this one alone, uncounted. */
  isExempt(fault: FaultStateOn<Place>): boolean
}

/** The faults that apply to a target, in the order in which they were added. Counts every match. */
export type Matcher = <Place extends FaultPlace>(target: FaultTarget<Place>) => readonly FaultStateOn<Place>[]

export function createMatcher({ view, note }: MatcherPorts): Matcher {
  return <Place extends FaultPlace>(target: FaultTarget<Place>) => {
    const faults = view.faults()
    if (faults.length === 0) return []
    return faults.filter((fault): fault is FaultStateOn<Place> => {
      if (!isOn(fault, target.on) || !target.agreesWith(fault.match) || target.isExempt(fault)) return false
      const { id, times, applied: before } = fault
      if (times !== null && before >= times) return false
      const applied = isDue(fault)
      note([{ kind: 'fault-use', fault_id: id, applied, ...target.attempt }])
      return applied
    })
  }
}

function isOn<Place extends FaultPlace>(fault: FaultState, place: Place): fault is FaultStateOn<Place> {
  return fault.on === place
}

/** By how often it has matched, and by a chance that the same seed repeats. */
function isDue({ matched, skip, probability, seed }: FaultState): boolean {
  return matched >= skip && (probability === 1 || drawChance(seed, matched) < probability)
}

/** The number in [0, 1) that a seed gives for the `index`th match. */
function drawChance(seed: number, index: number): number {
  return createHash('sha256').update(`${seed}/${index}`).digest().readUInt32BE() / 2 ** 32
}
