import type { Generation } from '../../../spec/delivery.ts'
import { createIdTable } from '../core/id-table.ts'
import { createInterned } from '../core/interned.ts'
import type { JobHead } from './entries.ts'
import type { IndexData } from './index-data.ts'
import { createJobLists, type JobLists } from './job-lists.ts'
import type { JobRecord, JobStatus } from './job.ts'

/** What many jobs have in common. */
type Target = Pick<JobHead, 'generation' | 'registration_id' | 'object_type' | 'state' | 'url'>

/** Every job by its ordinal, as numbers in columns: about a hundred bytes each. A record is made when somebody asks for one. */
export interface JobTable {
  readonly length: number
  readonly lists: Pick<JobLists, 'select'>
  /** The ordinal of a job; undefined if there is none. */
  find(id: string): number | undefined
  /** All ids that begin so, oldest first. */
  idsBeginning(start: string): readonly string[]
  add(head: JobHead, position: number): void
  record(ordinal: number): JobRecord
  /** The ordinals of the jobs about an object that is kept by this id, oldest first. */
  ofObject(objectId: string): readonly number[]
  /** Those of which an attempt is under way. */
  begun(): Iterable<number>
  /** Takes in where the start of an attempt is. */
  begin(ordinal: number, position: number): void
  status(ordinal: number): JobStatus
  setStatus(ordinal: number, status: JobStatus): void
  nextDueAt(ordinal: number): number | null
  setNextDueAt(ordinal: number, at: number | null): void
  /** Takes in where an attempt is that was under way, and how it ended. */
  addAttempt(ordinal: number, position: number, last: string): void
  /** Counts one that the schedule counts or, by hand, that it does not. */
  countEnded(ordinal: number, at: number, manual: boolean): void
}

export function createJobTable(data: IndexData): JobTable {
  const parts = createParts(data)
  const { ids, targets, lists, objects, attempts, begun, columns } = parts
  const recent = createRecentRecords()
  return {
    get length() {
      return ids.length
    },
    lists,
    find: ids.find,
    idsBeginning: ids.beginning,
    begun: () => begun.keys(),
    begin(ordinal, position) {
      begun.set(ordinal, position)
      recent.drop(ordinal)
    },
    ofObject: objects.of,
    status: lists.statusOf,
    setStatus(ordinal, status) {
      lists.setStatus(ordinal, targets.at(columns.target.get(ordinal)).registration_id, status)
      recent.drop(ordinal)
    },
    nextDueAt: (ordinal) => toTime(columns.next_due_at.get(ordinal)),
    setNextDueAt(ordinal, at) {
      columns.next_due_at.set(ordinal, at ?? NO_TIME)
      recent.drop(ordinal)
    },
    addAttempt(ordinal, position, last) {
      attempts.add(ordinal, position, last)
      begun.delete(ordinal)
      recent.drop(ordinal)
    },
    countEnded(ordinal, at, manual) {
      const { scheduled, updated_at, first_ended_at } = columns
      if (!manual) scheduled.set(ordinal, scheduled.get(ordinal) + 1)
      updated_at.set(ordinal, at)
      if (toTime(first_ended_at.get(ordinal)) === null) first_ended_at.set(ordinal, at)
      recent.drop(ordinal)
    },
    add: (head, position) => addJob(head, position, parts),
    record: (ordinal) => recent.get(ordinal) ?? recent.keep(toRecord(ordinal, parts)),
  }
}

const MOST_RECENT = 1_024

/** The records that were asked for last: on its way to a receiver a job is looked at again and again. */
function createRecentRecords() {
  const records: (JobRecord | undefined)[] = Array.from({ length: MOST_RECENT })
  function get(ordinal: number): JobRecord | undefined {
    const record = records[ordinal % MOST_RECENT]
    return record?.ordinal === ordinal ? record : undefined
  }
  return {
    get,
    keep(record: JobRecord): JobRecord {
      records[record.ordinal % MOST_RECENT] = record
      return record
    },
    drop(ordinal: number): void {
      if (get(ordinal)) records[ordinal % MOST_RECENT] = undefined
    },
  }
}

type Parts = ReturnType<typeof createParts>

function createParts(data: IndexData) {
  return {
    ids: createIdTable({ words: data.column('jobs/ids', 'u32'), others: data.map('jobs/ids') }),
    targets: createInterned(data.list<Target>('jobs/targets'), toTargetKey),
    /** How many jobs each generation has. */
    turns: data.map<Generation, number>('jobs/turns'),
    begun: data.map<number, number>('jobs/begun'),
    lists: createJobLists(data),
    objects: createObjectJobs(data),
    attempts: createAttemptPositions(data),
    columns: {
      target: data.column('jobs/target', 'u32'),
      revision: data.column('jobs/revision', 'u32'),
      turn: data.column('jobs/turn', 'u32'),
      position: data.column('jobs/position', 'u32'),
      created_at: data.column('jobs/created_at', 'f64'),
      updated_at: data.column('jobs/updated_at', 'f64'),
      scheduled: data.column('jobs/scheduled', 'u32'),
      first_ended_at: data.column('jobs/first_ended_at', 'f64'),
      next_due_at: data.column('jobs/next_due_at', 'f64'),
    },
  }
}

function addJob(
  head: JobHead,
  position: number,
  { ids, targets, turns, lists, objects, columns }: Parts,
): void {
  const { generation, registration_id, object_type, state, url } = head
  const ordinal = ids.push(head.id)
  const turn = turns.get(generation) ?? 0
  turns.set(generation, turn + 1)
  columns.target.push(targets.numberOf({ generation, registration_id, object_type, state, url }))
  columns.revision.push(head.revision)
  columns.turn.push(turn)
  columns.position.push(position)
  columns.created_at.push(head.at)
  columns.updated_at.push(head.at)
  columns.scheduled.push(0)
  columns.first_ended_at.push(NO_TIME)
  columns.next_due_at.push(head.at)
  lists.add(registration_id, { generation, object_type })
  objects.add(head.object_id, ordinal)
}

function toRecord(
  ordinal: number,
  { ids, targets, lists, objects, attempts, begun, columns }: Parts,
): JobRecord {
  return {
    id: ids.at(ordinal),
    ...targets.at(columns.target.get(ordinal)),
    object_id: objects.idOf(ordinal),
    revision: columns.revision.get(ordinal),
    ordinal,
    turn: columns.turn.get(ordinal),
    position: columns.position.get(ordinal),
    created_at: columns.created_at.get(ordinal),
    updated_at: columns.updated_at.get(ordinal),
    status: lists.statusOf(ordinal),
    attempts: attempts.of(ordinal),
    begun: begun.get(ordinal) ?? null,
    scheduled: columns.scheduled.get(ordinal),
    last: attempts.lastOf(ordinal),
    first_ended_at: toTime(columns.first_ended_at.get(ordinal)),
    next_due_at: toTime(columns.next_due_at.get(ordinal)),
  }
}

const NO_TIME = Number.NaN

function toTime(value: number): number | null {
  return Number.isNaN(value) ? null : value
}

function toTargetKey({ generation, registration_id, object_type, state, url }: Target): string {
  return `${generation}/${registration_id}/${object_type}/${state}/${url}`
}

/** The jobs about each object: the newest by the object, and by each job the one before it. */
function createObjectJobs(data: IndexData) {
  const objects = createIdTable({
    words: data.column('jobs/objects', 'u32'),
    others: data.map('jobs/objects'),
  })
  const object = data.column('jobs/object', 'u32')
  /** Ordinals plus one; 0 where there is none. */
  const newest = data.column('jobs/objects/newest', 'u32')
  const before = data.column('jobs/before', 'u32')
  return {
    idOf: (ordinal: number) => objects.at(object.get(ordinal)),
    add(objectId: string, ordinal: number): void {
      const number = objects.add(objectId)
      object.push(number)
      before.push(newest.get(number))
      newest.set(number, ordinal + 1)
    },
    of(objectId: string): readonly number[] {
      const number = objects.find(objectId)
      const ordinals: number[] = []
      if (number === undefined) return ordinals
      for (let next = newest.get(number); next !== 0; next = before.get(next - 1)) ordinals.push(next - 1)
      return ordinals.toReversed()
    },
  }
}

/** Where the attempts of each job are: the last by the job, and by each attempt the one before it. */
function createAttemptPositions(data: IndexData) {
  const ends = createInterned(data.list<string>('jobs/ends'), (end) => end)
  const positions = data.column('attempts/position', 'u32')
  /** Places among all attempts plus one; 0 where there is none. */
  const before = data.column('attempts/before', 'u32')
  const last = data.column('jobs/last_attempt', 'u32')
  const lastEnd = data.column('jobs/last', 'u16')
  return {
    add(ordinal: number, position: number, end: string): void {
      before.push(last.get(ordinal))
      positions.push(position)
      last.set(ordinal, positions.length)
      lastEnd.set(ordinal, ends.numberOf(end))
    },
    of(ordinal: number): readonly number[] {
      const found: number[] = []
      for (let next = last.get(ordinal); next !== 0; next = before.get(next - 1))
        found.push(positions.get(next - 1))
      return found.toReversed()
    },
    /** How the last one ended; null before. */
    lastOf: (ordinal: number) => (last.get(ordinal) === 0 ? null : ends.at(lastEnd.get(ordinal))),
  }
}
