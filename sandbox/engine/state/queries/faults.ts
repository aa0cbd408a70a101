import type { FaultHead, FaultUseHead, FaultState, FaultStateOn } from '../entries.ts'
import type { JobRecord } from '../job.ts'
import { parse } from '../sql.ts'
import { changeJob, findJob } from './job-rows.ts'
import { putSetting, settingsOf } from './settings.ts'
import type { StoredWorld } from './world.ts'

export function insertFault(world: StoredWorld, { fault, at }: FaultHead, position: number): void {
  const value = { ...fault, matched: 0, applied: 0, created_at: at }
  putSetting(world, { kind: 'fault', id: fault.id, value, position })
}

export function useFault(
  world: StoredWorld,
  { fault_id, job_id = '', applied }: FaultUseHead,
  position: number,
): void {
  const fault = settingsOf(world, 'fault').get(fault_id)
  if (!fault) return
  const job = findJob(world, job_id)
  if (job) {
    const ids = [...(matchedIds(job) ?? []), ...(applied ? [fault_id] : [])]
    changeJob(world, job, { matched_faults: JSON.stringify(ids) })
  }
  const value = { ...fault, matched: fault.matched + 1, applied: fault.applied + Number(applied) }
  putSetting(world, { kind: 'fault', id: fault_id, value, position })
}

function matchedIds({ matched_faults }: JobRecord): readonly string[] | undefined {
  return parse(matched_faults ?? undefined)
}

export function createFaultView(world: StoredWorld) {
  return {
    faults: (): readonly FaultState[] => [...settingsOf(world, 'fault').values()],
    /** Returns the faults that match the job's next attempt. Undefined if the matching faults are not determined yet. */
    matchedFaults: (job: JobRecord) =>
      matchedIds(findJob(world, job.id) ?? job)
        ?.flatMap((faultId) => settingsOf(world, 'fault').get(faultId) ?? [])
        .filter((fault): fault is FaultStateOn<'delivery'> => fault.on === 'delivery'),
  }
}
