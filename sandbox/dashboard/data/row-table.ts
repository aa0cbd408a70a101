import type { DrawnCall, DrawnJob } from './job.ts'

/** An object with all that was sent about it and called for. */
export interface ObjectRow {
  readonly key: string
  readonly objectType: string
  readonly objectId: string
  /** Its place among all objects, by the first notification of each. */
  first: number
  /** Oldest first. */
  readonly jobs: DrawnJob[]
  readonly calls: DrawnCall[]
}

/** The objects of a payment, or one object that belongs to none. */
export interface RowGroup {
  readonly paymentId: string | null
  /** In the order in which each was first notified of. */
  readonly rows: ObjectRow[]
}

/** Whether something is newer than all that is known, or older. */
export type Side = 'newer' | 'older'

/** A list that grows at both ends, newest first. */
export interface Deque<Value> {
  readonly length: number
  at(index: number): Value | undefined
  push(side: Side, value: Value): void
}

export function createDeque<Value>(): Deque<Value> {
  const values = { newer: new Array<Value>(), older: new Array<Value>() }
  return {
    get length() {
      return values.newer.length + values.older.length
    },
    at(index) {
      const { newer, older } = values
      return index < newer.length ? newer[newer.length - 1 - index] : older[index - newer.length]
    },
    push: (side, value) => void values[side].push(value),
  }
}

/** The rows by payment. What is new comes first, and nothing moves but an object that comes to belong to a payment. */
export interface RowTable {
  readonly groups: Deque<RowGroup>
  /** Another number after each change of what rows there are and where. */
  readonly shape: number
  find(objectType: string, objectId: string): ObjectRow | undefined
  /** The row of the job's object, which is made if there is none. */
  rowFor(job: DrawnJob, side: Side): ObjectRow
  /** Puts rows in order after older jobs were taken in. */
  sort(jobs: readonly DrawnJob[]): void
}

export function createRowTable(): RowTable {
  const groups = createDeque<RowGroup>()
  const rowByKey = new Map<string, ObjectRow>()
  const groupByKey = new Map<string, RowGroup>()
  const places = { newer: 0, older: 0 }
  let shape = 0

  function addToGroup(row: ObjectRow, paymentId: string | null, side: Side): void {
    const known = groupByKey.get(paymentId ?? row.key)
    shape++
    if (known) known.rows.push(row)
    else {
      const group = { paymentId, rows: [row] }
      groupByKey.set(paymentId ?? row.key, group)
      groups.push(side, group)
    }
  }

  /** Takes a row away that is by itself, since it belongs to no payment; tells whether it was. */
  function leaveAlone(row: ObjectRow): boolean {
    // A group without rows has no line.
    const alone = groupByKey.get(row.key)
    groupByKey.delete(row.key)
    return alone?.rows.pop() === row
  }

  return {
    groups,
    get shape() {
      return shape
    },
    find: (objectType, objectId) => rowByKey.get(toKey(objectType, objectId)),
    rowFor({ summary }, side) {
      const { object_type: objectType, object_id: objectId, payment_id } = summary
      const key = toKey(objectType, objectId)
      const known = rowByKey.get(key)
      const row = known ?? { key, objectType, objectId, first: places.newer++, jobs: [], calls: [] }
      if (side === 'older') row.first = --places.older
      if (!known) {
        rowByKey.set(key, row)
        addToGroup(row, payment_id, side)
      } else if (payment_id !== null && leaveAlone(row)) addToGroup(row, payment_id, side)
      return row
    },
    sort(jobs) {
      const touched = new Set(jobs.map(({ summary }) => groupByKey.get(summary.payment_id ?? '')))
      for (const group of touched) group?.rows.sort((a, b) => a.first - b.first)
    },
  }
}

const toKey = (objectType: string, objectId: string) => `${objectType}/${objectId}`
