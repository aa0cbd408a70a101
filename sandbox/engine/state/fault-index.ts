import type { FaultState } from './fault.ts'
import type { FaultEndHead, FaultHead, FaultUseHead } from './entries.ts'

/** The faults that apply to an attempt that was not made yet. */
export interface Matched {
  readonly attempt: number
  readonly faultIds: readonly string[]
}

export interface FaultIndex {
  /** In the order in which they were added. */
  readonly faultById: Map<string, FaultState>
  /** What was matched for the attempt of a job that was not made yet. */
  readonly matchedByJob: Map<string, Matched>
}

/** Takes in what was added, removed or matched. */
export function applyFault(
  { faultById: faults, matchedByJob }: FaultIndex,
  head: FaultHead | FaultEndHead | FaultUseHead,
): void {
  if (head.kind === 'fault')
    faults.set(head.fault.id, { ...head.fault, matched: 0, applied: 0, created_at: head.at })
  else if (head.kind === 'fault-end') faults.delete(head.fault_id)
  else {
    const fault = faults.get(head.fault_id)
    if (!fault) return
    if (head.job_id !== undefined) {
      const { attempt = 0, faultIds: known = [] } = matchedByJob.get(head.job_id) ?? {}
      const before = attempt === head.attempt ? known : []
      const faultIds = head.applied ? [...before, fault.id] : before
      matchedByJob.set(head.job_id, { attempt: head.attempt ?? 0, faultIds })
    }
    const { matched, applied } = fault
    faults.set(fault.id, { ...fault, matched: matched + 1, applied: applied + Number(head.applied) })
  }
}
