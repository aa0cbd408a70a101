import type {
  JobSummary,
  TimelineAttempt,
  TimelineCall,
  TimelineJob,
  TimelinePayment,
} from '../../../spec/generated/control-types.ts'

/** A job with its times as epoch milliseconds in sandbox time. */
export interface DrawnJob {
  readonly summary: JobSummary
  readonly createdAt: number
  readonly nextDueAt: number | null
  /** Oldest first. */
  readonly attempts: readonly DrawnAttempt[]
}

export interface DrawnAttempt extends Omit<TimelineAttempt, 'at'> {
  readonly at: number
}

/** A call of the service API about an object. */
export interface DrawnCall extends Omit<TimelineCall, 'at'> {
  readonly at: number
}

export function toDrawnJob({ job: summary, attempts }: TimelineJob): DrawnJob {
  return {
    summary,
    createdAt: Date.parse(summary.created_at),
    nextDueAt: summary.next_due_at === null ? null : Date.parse(summary.next_due_at),
    attempts: attempts.map((attempt) => ({ ...attempt, at: Date.parse(attempt.at) })),
  }
}

/** Joins two views of a job. The view with more attempts is newer, otherwise the second one. */
function mergeJobs(first: DrawnJob, second: DrawnJob): DrawnJob {
  const newer = first.summary.attempts > second.summary.attempts ? first : second
  const byNumber = new Map([...first.attempts, ...second.attempts].map((each) => [each.number, each]))
  return { ...newer, attempts: [...byNumber.values()].toSorted((a, b) => a.number - b.number) }
}

export const objectKey = (objectType: string, objectId: string) => `${objectType}/${objectId}`

/** The deliveries of a payment, or of an object without a payment. */
export interface Group {
  /** The payment's id, or the key of the object. */
  readonly key: string
  readonly paymentId: string | null
  /** Oldest first. */
  readonly jobIds: string[]
  readonly calls: DrawnCall[]
}

/** True if newer than all known jobs, false if older. */
export type IsNewer = boolean

/** A list that grows at both ends, newest first. */
export interface Deque<Value> {
  readonly length: number
  at(index: number): Value | undefined
  push(value: Value, isNewer: IsNewer): void
}

function createDeque<Value>(): Deque<Value> {
  const [newer, older] = [new Array<Value>(), new Array<Value>()]
  return {
    get length() {
      return newer.length + older.length
    },
    at: (index) => (index < newer.length ? newer[newer.length - 1 - index] : older[index - newer.length]),
    push: (value, isNewer) => void (isNewer ? newer : older).push(value),
  }
}

/** The groups, newest first. A group moves only if its object joins a payment later. */
export interface Groups {
  readonly list: Deque<Group>
  find(key: string): Group | undefined
  groupOf(objectType: string, objectId: string): Group | undefined
  add(job: DrawnJob, isNewer: IsNewer): void
  /** Moves the job's object into its payment. */
  join(job: DrawnJob): void
}

function createGroups(): Groups {
  const list = createDeque<Group>()
  const groupByKey = new Map<string, Group>()
  const groupByObject = new Map<string, Group>()

  function open(key: string, paymentId: string | null, isNewer: IsNewer): Group {
    const known = groupByKey.get(key)
    if (known) return known
    const group = { key, paymentId, jobIds: [], calls: [] }
    groupByKey.set(key, group)
    list.push(group, isNewer)
    return group
  }

  function join({ summary }: DrawnJob): void {
    const object = objectKey(summary.object_type, summary.object_id)
    const alone = groupByObject.get(object)
    if (summary.payment_id === null || alone?.paymentId !== null) return
    const group = open(summary.payment_id, summary.payment_id, true)
    // A group without deliveries has no line.
    group.jobIds.push(...alone.jobIds.splice(0))
    group.calls.push(...alone.calls.splice(0))
    groupByKey.delete(object)
    groupByObject.set(object, group)
  }

  return {
    list,
    find: (key) => groupByKey.get(key),
    groupOf: (objectType, objectId) => groupByObject.get(objectKey(objectType, objectId)),
    join,
    add(job, isNewer) {
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
