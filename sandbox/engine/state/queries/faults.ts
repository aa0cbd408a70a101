import type { AttemptHead, FaultHead, FaultUseHead, FaultState, FaultStateOn } from '../entries.ts'
import type { JobRecord } from '../job.ts'
import { parse } from '../sql.ts'
import { putSetting, settingsOf } from './settings.ts'
import type { StoredWorld } from './world.ts'

const HAS_MATCHES = 'has matched faults'

export function insertFault(world: StoredWorld, { fault, at }: FaultHead, position: number): void {
  const value = { ...fault, matched: 0, applied: 0, created_at: at }
  putSetting(world, { kind: 'fault', id: fault.id, value, position })
}

export function useFault(
  world: StoredWorld,
  { fault_id, job_id, attempt = 0, applied }: FaultUseHead,
  position: number,
): void {
  const fault = settingsOf(world, 'fault').get(fault_id)
  if (!fault) return
  if (job_id !== undefined) {
    world.invalidate(HAS_MATCHES)
    const ids = [...(matchedIds(world, job_id, attempt) ?? []), ...(applied ? [fault_id] : [])]
    world.run('INSERT OR REPLACE INTO matched_faults (world, job_id, attempt, faults) VALUES (?, ?, ?, ?)', [
      job_id,
      attempt,
      JSON.stringify(ids),
    ])
  }
  const value = { ...fault, matched: fault.matched + 1, applied: fault.applied + Number(applied) }
  putSetting(world, { kind: 'fault', id: fault_id, value, position })
}

/** After an interrupted attempt, the same faults apply to the next attempt. After any other attempt, the job's matches are deleted. */
export function endMatches(world: StoredWorld, { job_id, number, reason }: AttemptHead): void {
  if (!hasMatches(world)) return
  if (reason === 'interrupted')
    world.run(
      'UPDATE matched_faults SET attempt = attempt + 1 WHERE world = ? AND job_id = ? AND attempt = ?',
      [job_id, number],
    )
  else if (world.run('DELETE FROM matched_faults WHERE world = ? AND job_id = ?', [job_id]) > 0)
    world.invalidate(HAS_MATCHES)
}

/** Returns true if at least one fault of the world has matched. The value is cached, because every attempt needs it. */
function hasMatches(world: StoredWorld): boolean {
  return world.held(
    HAS_MATCHES,
    () => world.value('SELECT EXISTS (SELECT 1 FROM matched_faults WHERE world = ?)') === 1,
  )
}

function matchedIds(world: StoredWorld, jobId: string, attempt: number): readonly string[] | undefined {
  if (!hasMatches(world)) return undefined
  const text = 'SELECT faults FROM matched_faults WHERE world = ? AND job_id = ? AND attempt = ?'
  return parse(world.value(text, [jobId, attempt]))
}

export function createFaultView(world: StoredWorld) {
  return {
    faults: (): readonly FaultState[] => [...settingsOf(world, 'fault').values()],
    /** Returns the faults that match the job's next attempt. Undefined if the matching faults are not determined yet. */
    matchedFaults: ({ id, attempts }: JobRecord) =>
      matchedIds(world, id, attempts + 1)
        ?.flatMap((faultId) => settingsOf(world, 'fault').get(faultId) ?? [])
        .filter((fault): fault is FaultStateOn<'delivery'> => fault.on === 'delivery'),
  }
}
