import type { SQLInputValue } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { AttemptHead, JobHead } from '../../../engine/state/entries.ts'
import type { JobRecord, JobStatus } from '../../../engine/state/job.ts'
import { createRecent } from '../recent.ts'
import { damage } from '../storage-errors.ts'
import type { Sql } from '../sql.ts'
import { createJobCounts, type JobCounts } from './job-counts.ts'

/** The jobs of one world, as they stand. */
export interface Jobs extends Pick<JobCounts, 'blocks' | 'save'> {
  /** Adds a job with its place among all, and among those of its generation, from 0. */
  add(head: JobHead, position: number, places: { readonly ordinal: number; readonly turn: number }): void
  find(id: string): JobRecord | undefined
  at(ordinal: number): JobRecord | undefined
  length(): number
  idsBeginning(start: string): readonly string[]
  /** Those with an attempt that has begun and is not on record, oldest first. */
  begun(): readonly JobRecord[]
  /** Those that are due at `until` or earlier, by due time. */
  due(until: number, limit: number): readonly { readonly ordinal: number; readonly dueAt: number }[]
  /** Records that an attempt begins. */
  begin(jobId: string, position: number): void
  /** Records how an attempt ended. */
  end(head: AttemptHead, position: number): void
  /** No attempt follows. */
  cancel(jobId: string): void
  /** The positions of a job's first attempts in the history. */
  attemptPositions(job: JobRecord): readonly number[]
  /** Forgets what was read, after a rollback. */
  forget(): void
}

type Row = JobRecord & { readonly sum: number }

const FIXED = [
  'ordinal',
  'id',
  'generation',
  'registration_id',
  'object_type',
  'object_id',
  'revision',
  'state',
  'url',
  'turn',
  'position',
  'created_at',
] as const
const CHANGING = [
  'updated_at',
  'status',
  'attempts',
  'scheduled',
  'last',
  'begun',
  'first_ended_at',
  'next_due_at',
] as const
const COLUMNS = [...FIXED, ...CHANGING] as const
export const JOB_COLUMNS = [...COLUMNS, 'sum'].join(', ')

/** On its way to a receiver a job is read again and again. */
const MOST_RECENT = 1_024

/** `path` is the file of the store, for errors. */
export function createJobs(sql: Sql, world: number, path: string): Jobs {
  const select = sql<Row>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE world = ? AND id = ?`)
  const recent = createRecent<string, JobRecord>(MOST_RECENT)
  const writes = createJobWrites(sql, world)
  const counts = createJobCounts(sql, world)

  function find(id: string): JobRecord | undefined {
    const known = recent.get(id)
    if (known) return known
    const row = select.get(world, id)
    return row && recent.set(id, verifyJob(row, path))
  }

  function change(id: string, toChanges: (job: JobRecord) => Partial<JobRecord>): void {
    const job = find(id)
    if (!job) return
    const changed = { ...job, ...toChanges(job) }
    writes.update(changed)
    if (changed.status !== job.status) counts.move(job, changed.status)
    recent.set(id, changed)
  }

  return {
    ...createJobReads(sql, world, path),
    add(head, position, places) {
      const job = toNewJob(head, position, places)
      writes.insert(job)
      counts.add(job)
      recent.set(job.id, job)
    },
    find,
    begin: (id, position) => change(id, () => ({ begun: position })),
    end(head, position) {
      change(head.job_id, (job) => {
        writes.insertAttempt(job, position)
        return { begun: null, attempts: job.attempts + 1, ...outcomeOf(head, job) }
      })
    },
    cancel: (id) => change(id, () => ({ next_due_at: null })),
    blocks: counts.blocks,
    save: counts.save,
    forget() {
      recent.clear()
      counts.forget()
    },
  }
}

type JobReads = Pick<Jobs, 'at' | 'length' | 'idsBeginning' | 'begun' | 'due' | 'attemptPositions'>

function createJobReads(sql: Sql, world: number, path: string): JobReads {
  const selectAt = sql<Row>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE world = ? AND ordinal = ?`)
  const selectLength = sql<{ length: number }>(
    'SELECT coalesce(max(ordinal) + 1, 0) AS length FROM jobs WHERE world = ?',
  )
  const selectBeginning = sql<{ id: string }>(
    'SELECT id FROM jobs WHERE world = ? AND id >= ? AND id < ? ORDER BY ordinal',
  )
  const selectBegun = sql<Row>(
    `SELECT ${JOB_COLUMNS} FROM jobs WHERE world = ? AND begun IS NOT NULL ORDER BY ordinal`,
  )
  const selectDue = sql<{ ordinal: number; dueAt: number }>(
    'SELECT ordinal, next_due_at AS dueAt FROM jobs WHERE world = ? AND next_due_at <= ? ORDER BY next_due_at, ordinal LIMIT ?',
  )
  const selectAttempts = sql<{ position: number }>(
    'SELECT position FROM attempts WHERE world = ? AND job = ? AND place < ? ORDER BY place',
  )
  return {
    at(ordinal) {
      const row = selectAt.get(world, ordinal)
      return row && verifyJob(row, path)
    },
    length: () => selectLength.get(world)?.length ?? 0,
    idsBeginning: (start) => selectBeginning.all(world, start, `${start}\u{10FFFF}`).map(({ id }) => id),
    begun: () => selectBegun.all(world).map((row) => verifyJob(row, path)),
    due: (until, limit) => selectDue.all(world, until, limit),
    attemptPositions: ({ ordinal, attempts }) =>
      selectAttempts.all(world, ordinal, attempts).map(({ position }) => position),
  }
}

function toNewJob(
  { kind: _, at, ...about }: JobHead,
  position: number,
  places: { readonly ordinal: number; readonly turn: number },
): JobRecord {
  return {
    ...about,
    ...places,
    position,
    created_at: at,
    updated_at: at,
    status: 'pending',
    attempts: 0,
    scheduled: 0,
    last: null,
    begun: null,
    first_ended_at: null,
    next_due_at: at,
  }
}

/** A failed job is marked failed and still retried; success is final. Source: §7. Reading: webhook-jobs */
function outcomeOf(head: AttemptHead, job: JobRecord): Partial<JobRecord> {
  const { at, reason, status, manual = false, next_due_at } = head
  const last = reason ?? String(status)
  if (reason === 'interrupted') return { last }
  return {
    last,
    scheduled: job.scheduled + Number(!manual),
    updated_at: at,
    first_ended_at: job.first_ended_at ?? at,
    next_due_at,
    status: statusAfter(reason === null, job.status),
  }
}

function statusAfter(isSuccess: boolean, before: JobStatus): JobStatus {
  if (isSuccess) return 'success'
  return before === 'pending' ? 'failed' : before
}

function createJobWrites(sql: Sql, world: number) {
  const marks = COLUMNS.map(() => '?').join(', ')
  const insert = sql(`INSERT INTO jobs (world, ${JOB_COLUMNS}) VALUES (?, ${marks}, ?)`)
  const assignments = [...CHANGING, 'sum'].map((column) => `${column} = ?`).join(', ')
  const update = sql(`UPDATE jobs SET ${assignments} WHERE world = ? AND ordinal = ?`)
  const insertAttempt = sql('INSERT INTO attempts (world, job, place, position) VALUES (?, ?, ?, ?)')
  return {
    insert(job: JobRecord): void {
      insert.run(world, ...valuesOf(COLUMNS, job), sumOf(job))
    },
    update(job: JobRecord): void {
      update.run(...valuesOf(CHANGING, job), sumOf(job), world, job.ordinal)
    },
    insertAttempt({ ordinal, attempts }: JobRecord, position: number): void {
      insertAttempt.run(world, ordinal, attempts, position)
    },
  }
}

/** A field that entries of earlier versions lack is null. */
function valuesOf(columns: readonly (keyof JobRecord)[], job: Partial<JobRecord>): SQLInputValue[] {
  return columns.map((column) => job[column] ?? null)
}

/** A later column, at the end, does not change the checksum of a row that lacks it. */
function sumOf(job: JobRecord): number {
  return crc32(
    COLUMNS.map((column) => job[column])
      .join('\n')
      .trimEnd(),
  )
}

/** Throws StorageError `damaged` for a row that was changed. */
export function verifyJob({ sum, ...job }: Row, path: string): JobRecord {
  if (sum !== sumOf(job)) throw damage(path, `job ${job.id} is not what was written`)
  return job
}
