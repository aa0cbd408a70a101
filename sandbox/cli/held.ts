import type { JobSummary } from '../../spec/generated/control-types.ts'
import type { Perform } from '../compose/perform.ts'

/** What of the jobs may be due and not sent, since a fault holds it back; empty if nothing is. */
export async function heldText(jobs: readonly JobSummary[], perform: Perform): Promise<string> {
  const due = jobs.flatMap(({ status, next_due_at }) => (status === 'success' ? [] : (next_due_at ?? [])))
  if (due.length === 0) return ''
  const { now } = await perform('getClock')
  if (due.every((instant) => Date.parse(instant) > Date.parse(now))) return ''
  const { waiting_for = [] } = await perform('settle', { body: { timeout_ms: 0 } })
  const count = waiting_for.find(({ what }) => what === 'held_by_fault')?.count ?? 0
  return count === 0 ? '' : `${count} held back by a fault (npx hookbench faults)`
}
