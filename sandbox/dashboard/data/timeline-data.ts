import type {
  JobSummary,
  TimelineAttempt,
  TimelineCall,
  TimelineJob,
  TimelinePayment,
} from '../../../spec/generated/control-types.ts'

/** A job with sandbox times in milliseconds since the Unix epoch. */
export interface DrawnJob {
  readonly summary: JobSummary
  readonly createdAt: number
  readonly nextDueAt: number | null
  /** Oldest first. */
  readonly attempts: readonly DrawnAttempt[]
}

/** An entry whose time is a number: milliseconds since the Unix epoch. */
export type Drawn<Entry> = Omit<Entry, 'at'> & { readonly at: number }

export type DrawnAttempt = Drawn<TimelineAttempt>
export type DrawnCall = Drawn<TimelineCall>

export function toDrawnJob({ job: summary, attempts }: TimelineJob): DrawnJob {
  return {
    summary,
    createdAt: Date.parse(summary.created_at),
    nextDueAt: summary.next_due_at === null ? null : Date.parse(summary.next_due_at),
    attempts: attempts.map((attempt) => ({ ...attempt, at: Date.parse(attempt.at) })),
  }
}

/** Merges two states of a job. The state with more attempts is newer. If both have the same number, the second state is newer. */
function mergeJobs(first: DrawnJob, second: DrawnJob): DrawnJob {
  const newer = first.summary.attempts > second.summary.attempts ? first : second
  const byNumber = new Map([...first.attempts, ...second.attempts].map((each) => [each.number, each]))
  return { ...newer, attempts: [...byNumber.values()].toSorted((a, b) => a.number - b.number) }
}

export const objectKey = (objectType: string, objectId: string) => `${objectType}/${objectId}`

export interface Group {
  /** The payment id, or the object's key if it has no payment. */
  readonly key: string
  readonly paymentId: string | null
  /** Oldest first. */
  readonly jobIds: string[]
  readonly calls: DrawnCall[]
}

/** Groups jobs by payment. The position of a group changes only if its object becomes part of a payment later. */
function createGroups() {
  // The list of groups grows at both ends, so it is split into two arrays. Each array starts at the middle of the list.
  const [newer, older] = [new Array<Group>(), new Array<Group>()]
  const groupByKey = new Map<string, Group>()
  const groupByObject = new Map<string, Group>()

  function open(key: string, paymentId: string | null, isNewer: boolean): Group {
    const known = groupByKey.get(key)
    if (known) return known
    const group = { key, paymentId, jobIds: [], calls: [] }
    groupByKey.set(key, group)
    ;(isNewer ? newer : older).push(group)
    return group
  }

  function join({ summary }: DrawnJob): void {
    const object = objectKey(summary.object_type, summary.object_id)
    const alone = groupByObject.get(object)
    if (summary.payment_id === null || alone?.paymentId !== null) return
    const group = open(summary.payment_id, summary.payment_id, true)
    // Moves all jobs out of the old group. The old group is now empty, and an empty group is not shown.
    group.jobIds.push(...alone.jobIds.splice(0))
    group.calls.push(...alone.calls.splice(0))
    groupByKey.delete(object)
    groupByObject.set(object, group)
  }

  return {
    length: () => newer.length + older.length,
    at: (index: number) =>
      index < newer.length ? newer[newer.length - 1 - index] : older[index - newer.length],
    find: (key: string) => groupByKey.get(key),
    groupOf: (objectType: string, objectId: string) => groupByObject.get(objectKey(objectType, objectId)),
    join,
    add(job: DrawnJob, isNewer: boolean) {
      join(job)
      const { id, object_type, object_id, payment_id } = job.summary
      const object = objectKey(object_type, object_id)
      const group = groupByObject.get(object) ?? open(payment_id ?? object, payment_id, isNewer)
      groupByObject.set(object, group)
      if (isNewer) group.jobIds.push(id)
      else group.jobIds.unshift(id)
    },
  }
}

export type TimelineData = ReturnType<typeof createTimelineData>

export function createTimelineData() {
  const { add, join, ...groups } = createGroups()
  const jobById = new Map<string, DrawnJob>()
  const dueById = new Map<string, number>()
  const paymentById = new Map<string, TimelinePayment>()

  function put(job: DrawnJob, isNewer: boolean): void {
    const { id } = job.summary
    const known = jobById.get(id)
    // Data from an event is newer than data from a loaded list.
    const merged = known ? (isNewer ? mergeJobs(known, job) : mergeJobs(job, known)) : job
    jobById.set(id, merged)
    if (merged.nextDueAt === null) dueById.delete(id)
    else dueById.set(id, merged.nextDueAt)
    if (known) join(merged)
    else add(merged, isNewer)
  }

  return {
    /** The groups, newest first. */
    groups,
    size: () => jobById.size,
    job: (id: string) => jobById.get(id),
    jobsOf: ({ jobIds }: Group) => jobIds.flatMap((id) => jobById.get(id) ?? []),
    payment: (id: string | null) => paymentById.get(id ?? ''),
    nextDueAt() {
      let earliest = Infinity
      for (const dueAt of dueById.values()) if (dueAt < earliest) earliest = dueAt
      return earliest === Infinity ? undefined : earliest
    },
    /** Adds older jobs. `jobs` is sorted from the oldest to the newest. */
    addOlder(jobs: readonly DrawnJob[]) {
      for (const job of jobs.toReversed()) put(job, false)
    },
    addNewer: (job: DrawnJob) => put(job, true),
    addCall(call: DrawnCall) {
      const group = groups.groupOf(call.object_type, call.object_id)
      if (group && !group.calls.some(({ id }) => id === call.id)) group.calls.push(call)
    },
    addPayment(payment: TimelinePayment) {
      if (payment.step >= (paymentById.get(payment.id)?.step ?? 0)) paymentById.set(payment.id, payment)
    },
  }
}
