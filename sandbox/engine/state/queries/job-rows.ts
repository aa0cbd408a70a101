import { crc32 } from 'node:zlib'
import type { JobRecord } from '../job.ts'
import type { Values } from '../sql.ts'
import { damage } from '../storage-error.ts'
import { countJob } from './job-counts.ts'
import type { StoredWorld } from './world.ts'

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
  'attempt_positions',
  'scheduled',
  'last',
  'first_ended_at',
  'next_due_at',
  'matched_faults',
] as const
const COLUMNS = [...FIXED, ...CHANGING] as const
const LIST = ['sum', ...COLUMNS].join(', ')
const INSERT = `INSERT INTO jobs (world, ${LIST}) VALUES (?, ${COLUMNS.map(() => '?').join(', ')}, ?)`
const UPDATE = `UPDATE jobs SET ${CHANGING.map((column) => `${column} = ?`).join(', ')}, sum = ?
  WHERE world = ? AND ordinal = ?`

export function insertJob(world: StoredWorld, job: JobRecord): void {
  const values = valuesOf(job)
  world.run(INSERT, [sumOf(values), ...values])
  countJob(world, job, 1)
  world.keep(BY_ID, job.id, job)
}

export function changeJob(world: StoredWorld, job: JobRecord, changes: Partial<JobRecord>): void {
  const changed = { ...job, ...changes }
  const values = valuesOf(changed)
  world.sql.run(UPDATE, [...values.slice(FIXED.length), sumOf(values), world.number, job.ordinal])
  if (changed.status !== job.status) {
    countJob(world, job, -1)
    countJob(world, changed, 1)
  }
  world.keep(BY_ID, job.id, changed)
}

const BY_ID = 'job by id'

/** Returns the column values of a job. A missing field becomes null, because entries of earlier versions lack some fields. */
function valuesOf(job: JobRecord): readonly (string | number | null)[] {
  return COLUMNS.map((column) => job[column] ?? null)
}

/** Returns the checksum of a job. Ignores empty columns at the end, so that a new column does not change old checksums. */
function sumOf(values: readonly (string | number | null)[]): number {
  return crc32(values.join('\n').trimEnd())
}

/** Reads the jobs that match `condition`, which can name an index. Throws StorageError `damaged` if a job's checksum is wrong. */
export function selectJobs(world: StoredWorld, condition: string, values: Values = []): JobRecord[] {
  return world.all<Row>(`SELECT ${LIST} FROM jobs ${condition}`, values).map((row) => {
    const job = toJob(row)
    if (row.sum !== sumOf(valuesOf(job))) throw damage(world.path, `job ${job.id} is damaged`)
    return job
  })
}

/** Copies each column, because the rows of node:sqlite have slow properties. */
function toJob(row: Row): JobRecord {
  const job: { -readonly [Column in keyof JobRecord]?: unknown } = {}
  for (const column of COLUMNS) job[column] = row[column]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- COLUMNS contains all fields of a job
  return job as JobRecord
}

export function findJob(world: StoredWorld, id: string): JobRecord | undefined {
  return world.cached(BY_ID, id, () => selectJobs(world, 'WHERE world = ? AND id = ?', [id])[0])
}

export function findJobAt(world: StoredWorld, ordinal: number): JobRecord | undefined {
  const [job] = selectJobs(world, 'WHERE world = ? AND ordinal = ?', [ordinal])
  if (job) world.keep(BY_ID, job.id, job)
  return job
}
