import type { TimelinePayment } from '../../../spec/generated/control-types.ts'
import { mergeJobs, type DrawnCall, type DrawnJob } from './job.ts'
import {
  createDeque,
  createRowTable,
  type Deque,
  type ObjectRow,
  type RowGroup,
  type Side,
} from './row-table.ts'

/** Everything that the timeline draws. */
export interface TimelineData {
  /** Newest first. */
  readonly groups: Pick<Deque<RowGroup>, 'length' | 'at'>
  /** Another number after each change of what rows there are and where. */
  readonly shape: number
  /** The ids of all jobs, newest first. */
  readonly jobIds: Pick<Deque<string>, 'length' | 'at'>
  job(id: string): DrawnJob | undefined
  row(objectType: string, objectId: string): ObjectRow | undefined
  payment(id: string): TimelinePayment | undefined
  /** The earliest instant at which an attempt is due; undefined if none is. */
  nextDueAt(): number | undefined
  /** Takes in jobs that are older than all that are known, oldest first, and what is known of them already. */
  addOlder(jobs: readonly DrawnJob[]): void
  /** Takes in a job that is new, or that something happened to. */
  addNewer(job: DrawnJob): void
  /** Takes in a call, if it is about an object that is known. */
  addCall(objectType: string, objectId: string, call: DrawnCall): void
  /** Takes in a payment, as far as it is not known to have gone further. */
  addPayment(payment: TimelinePayment): void
}

export function createTimelineData(): TimelineData {
  const rows = createRowTable()
  const jobIds = createDeque<string>()
  const jobById = new Map<string, DrawnJob>()
  const dueById = new Map<string, number>()
  const paymentById = new Map<string, TimelinePayment>()

  function put(job: DrawnJob, side: Side): void {
    const { id } = job.summary
    const known = jobById.get(id)
    // What an event told is newer than what was listed at the same time.
    const merged = known ? (side === 'newer' ? mergeJobs(known, job) : mergeJobs(job, known)) : job
    jobById.set(id, merged)
    if (merged.nextDueAt === null) dueById.delete(id)
    else dueById.set(id, merged.nextDueAt)
    if (!known) jobIds.push(side, id)
    insertJob(rows.rowFor(merged, side), merged, { known, side })
  }

  return {
    groups: rows.groups,
    get shape() {
      return rows.shape
    },
    jobIds,
    job: (id) => jobById.get(id),
    row: rows.find,
    payment: (id) => paymentById.get(id),
    nextDueAt() {
      let earliest = Infinity
      for (const dueAt of dueById.values()) if (dueAt < earliest) earliest = dueAt
      return earliest === Infinity ? undefined : earliest
    },
    addOlder(jobs) {
      for (const job of jobs.toReversed()) put(job, 'older')
      rows.sort(jobs)
    },
    addNewer: (job) => put(job, 'newer'),
    addCall(objectType, objectId, call) {
      const row = rows.find(objectType, objectId)
      if (row && !row.calls.some(({ id }) => id === call.id)) row.calls.push(call)
    },
    addPayment(payment) {
      if (payment.step >= (paymentById.get(payment.id)?.step ?? 0)) paymentById.set(payment.id, payment)
    },
  }
}

interface Insertion {
  readonly known: DrawnJob | undefined
  readonly side: Side
}

/** In place of what was known of it, or where its trigger belongs. */
function insertJob({ jobs }: ObjectRow, job: DrawnJob, { known, side }: Insertion): void {
  const index = known ? jobs.indexOf(known) : -1
  if (index !== -1) jobs[index] = job
  else if (side === 'older') jobs.unshift(job)
  else jobs.splice(jobs.findLastIndex(({ createdAt }) => createdAt <= job.createdAt) + 1, 0, job)
}
