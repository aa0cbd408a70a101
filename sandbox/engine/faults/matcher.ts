import { createHash } from 'node:crypto'
import type { FaultPlace } from '../../../spec/faults.ts'
import type { FaultMatch } from '../../../spec/generated/control-types.ts'
import type { View } from '../state/view.ts'
import type { FaultState } from '../state/fault.ts'
import type { Write } from '../state/write.ts'

export interface MatcherPorts {
  readonly view: Pick<View, 'faults'>
  /** Takes the counts at once; never rejects. */
  readonly note: (writes: readonly Write[]) => void
}

/** Something that a fault may apply to. */
export interface Occasion {
  readonly on: FaultPlace
  isMeantBy(match: FaultMatch): boolean
  /** The attempt that it is, if it is one. */
  readonly of?: { readonly job_id: string; readonly attempt: number }
  /** Whether a fault leaves this one alone, uncounted. */
  isExempt?(fault: FaultState): boolean
}

/** Tells which faults apply to an occasion, in the order in which they were added, and counts every match. */
export function createMatcher({ view, note }: MatcherPorts): (occasion: Occasion) => readonly FaultState[] {
  return (occasion) => {
    const faults = view.faults()
    if (faults.length === 0) return []
    return faults.filter((fault) => {
      const { id, on, match, times, applied: before } = fault
      if (on !== occasion.on || !occasion.isMeantBy(match) || occasion.isExempt?.(fault)) return false
      if (times !== null && before >= times) return false
      const applied = isDue(fault)
      note([{ kind: 'fault-use', fault_id: id, applied, ...occasion.of }])
      return applied
    })
  }
}

/** By how often it has matched, and by a chance that the same seed repeats. */
function isDue({ matched, skip, probability, seed }: FaultState): boolean {
  return matched >= skip && (probability === 1 || chanceOf(seed, matched) < probability)
}

/** The number in [0, 1) that a seed gives for the `index`th match. */
function chanceOf(seed: number, index: number): number {
  return createHash('sha256').update(`${seed}/${index}`).digest().readUInt32BE() / 2 ** 32
}
