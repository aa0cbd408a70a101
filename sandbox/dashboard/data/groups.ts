import { objectKey, type DrawnCall, type DrawnJob } from './job.ts'

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

export function createGroups(): Groups {
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
