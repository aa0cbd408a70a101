import type { AttemptHead, FaultEndHead, FaultHead, FaultUseHead } from '../../../engine/state/entries.ts'
import type { FaultState, FaultStateOn } from '../../../engine/state/fault.ts'
import type { FaultView } from '../../../engine/state/view.ts'
import { parse } from '../sql.ts'
import type { World } from './world.ts'

const LIST = 'faults'
const HAS_MATCHES = 'has matched faults'

export function addFault(world: World, { fault, at }: FaultHead, position: number): void {
  put(world, { ...fault, matched: 0, applied: 0, created_at: at }, position)
}

export function endFault(world: World, { fault_id }: FaultEndHead): void {
  world.letGo(LIST)
  world.run('DELETE FROM faults WHERE world = ? AND id = ?', [fault_id])
}

export function useFault(world: World, { fault_id, job_id, attempt = 0, applied }: FaultUseHead): void {
  const fault = find(world, fault_id)
  if (!fault) return
  if (job_id !== undefined) {
    world.letGo(HAS_MATCHES)
    const ids = [...(matchedIds(world, job_id, attempt) ?? []), ...(applied ? [fault_id] : [])]
    world.run('INSERT OR REPLACE INTO matched_faults (world, job_id, attempt, faults) VALUES (?, ?, ?, ?)', [
      job_id,
      attempt,
      JSON.stringify(ids),
    ])
  }
  put(world, { ...fault, matched: fault.matched + 1, applied: fault.applied + Number(applied) }, 0)
}

/** The faults of an interrupted attempt apply to the next one; those of another attempt are over. */
export function endMatches(world: World, { job_id, number, reason }: AttemptHead): void {
  if (!hasMatches(world)) return
  if (reason === 'interrupted')
    world.run(
      'UPDATE matched_faults SET attempt = attempt + 1 WHERE world = ? AND job_id = ? AND attempt = ?',
      [job_id, number],
    )
  else if (world.run('DELETE FROM matched_faults WHERE world = ? AND job_id = ?', [job_id]) > 0)
    world.letGo(HAS_MATCHES)
}

/** Every attempt asks. */
function hasMatches(world: World): boolean {
  return world.held(
    HAS_MATCHES,
    () => world.value('SELECT EXISTS (SELECT 1 FROM matched_faults WHERE world = ?)') === 1,
  )
}

function put(world: World, fault: FaultState, position: number): void {
  world.letGo(LIST)
  world.run(
    `INSERT INTO faults (world, id, number, fault) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET fault = excluded.fault`,
    [fault.id, position, JSON.stringify(fault)],
  )
}

function find(world: World, id: string): FaultState | undefined {
  return parse(world.value('SELECT fault FROM faults WHERE world = ? AND id = ?', [id]))
}

/** The ids of the faults that apply to this attempt of a job; undefined if none were looked for. */
function matchedIds(world: World, jobId: string, attempt: number): readonly string[] | undefined {
  if (!hasMatches(world)) return undefined
  const text = 'SELECT faults FROM matched_faults WHERE world = ? AND job_id = ? AND attempt = ?'
  return parse(world.value(text, [jobId, attempt]))
}

export function createFaultView(world: World): FaultView {
  const list = () => world.column<string>('SELECT fault FROM faults WHERE world = ? ORDER BY number')
  return {
    // Every call asks.
    faults: () => world.held(LIST, () => list().map((fault): FaultState => JSON.parse(fault))),
    matchedFaults: ({ id, attempts }) =>
      matchedIds(world, id, attempts + 1)
        ?.flatMap((faultId) => find(world, faultId) ?? [])
        .filter((fault): fault is FaultStateOn<'delivery'> => fault.on === 'delivery'),
  }
}
