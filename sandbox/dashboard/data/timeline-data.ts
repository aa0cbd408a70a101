import type { TimelinePayment } from '../../../spec/generated/control-types.ts'
import { createGroups, type Deque, type Group, type IsNewer } from './groups.ts'
import { mergeJobs, type DrawnCall, type DrawnJob } from './job.ts'

/** All listed jobs, calls and payments. */
export interface TimelineData {
  /** Newest first. */
  readonly groups: Pick<Deque<Group>, 'length' | 'at'>
  /** The number of jobs. */
  readonly size: number
  job(id: string): DrawnJob | undefined
  /** Finds the group by payment id or object key. */
  group(key: string): Group | undefined
  groupOf(objectType: string, objectId: string): Group | undefined
  payment(id: string): TimelinePayment | undefined
  /** Returns the earliest due time of all jobs. */
  nextDueAt(): number | undefined
  /** Takes older jobs, oldest first. */
  addOlder(jobs: readonly DrawnJob[]): void
  addNewer(job: DrawnJob): void
  /** Takes a call about a known object. */
  addCall(call: DrawnCall): void
  /** Takes a payment unless a later step is known. */
  addPayment(payment: TimelinePayment): void
}

export function createTimelineData(): TimelineData {
  const groups = createGroups()
  const jobById = new Map<string, DrawnJob>()
  const dueById = new Map<string, number>()
  const paymentById = new Map<string, TimelinePayment>()

  function put(job: DrawnJob, isNewer: IsNewer): void {
    const { id } = job.summary
    const known = jobById.get(id)
    // An event is newer than a listing of the same time.
    const merged = known ? (isNewer ? mergeJobs(known, job) : mergeJobs(job, known)) : job
    jobById.set(id, merged)
    if (merged.nextDueAt === null) dueById.delete(id)
    else dueById.set(id, merged.nextDueAt)
    if (known) groups.join(merged)
    else groups.add(merged, isNewer)
  }

  return {
    groups: groups.list,
    get size() {
      return jobById.size
    },
    job: (id) => jobById.get(id),
    group: groups.find,
    groupOf: groups.groupOf,
    payment: (id) => paymentById.get(id),
    nextDueAt() {
      let earliest = Infinity
      for (const dueAt of dueById.values()) if (dueAt < earliest) earliest = dueAt
      return earliest === Infinity ? undefined : earliest
    },
    addOlder(jobs) {
      for (const job of jobs.toReversed()) put(job, false)
    },
    addNewer: (job) => put(job, true),
    addCall(call) {
      const group = groups.groupOf(call.object_type, call.object_id)
      if (group && !group.calls.some(({ id }) => id === call.id)) group.calls.push(call)
    },
    addPayment(payment) {
      if (payment.step >= (paymentById.get(payment.id)?.step ?? 0)) paymentById.set(payment.id, payment)
    },
  }
}
