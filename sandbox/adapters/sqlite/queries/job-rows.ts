import type { SQLInputValue } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { JobRecord } from '../../../engine/state/job.ts'
import { damage } from '../storage-errors.ts'
import type { Values } from '../sql.ts'
import type { World } from './world.ts'

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
const LIST = [...COLUMNS, 'sum'].join(', ')
const INSERT = `INSERT INTO jobs (world, ${LIST}) VALUES (?, ${COLUMNS.map(() => '?').join(', ')}, ?)`
const ASSIGNMENTS = [...CHANGING, 'sum'].map((column, index) => `${column} = ?${index + 2}`).join(', ')
const UPDATE = `UPDATE jobs SET ${ASSIGNMENTS} WHERE world = ?1 AND ordinal = ?`

export function insertJob(world: World, job: JobRecord): void {
  world.run(INSERT, [...valuesOf(COLUMNS, job), sumOf(job)])
  countJob(world, job, 1)
  world.keep(keyOf(job.id), job)
}

export function changeJob(world: World, job: JobRecord, changes: Partial<JobRecord>): void {
  const changed = { ...job, ...changes }
  world.run(UPDATE, [...valuesOf(CHANGING, changed), sumOf(changed), job.ordinal])
  if (changed.status !== job.status) {
    countJob(world, job, -1)
    countJob(world, changed, 1)
  }
  world.keep(keyOf(job.id), changed)
}

const keyOf = (id: string) => `job ${id}`

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
export function selectJobs(world: World, condition: string, values: Values = []): JobRecord[] {
  return world.all<Row>(`SELECT ${LIST} FROM jobs WHERE ${condition}`, values).map(({ sum, ...job }) => {
    if (sum !== sumOf(job)) throw damage(world.path, `job ${job.id} is not what was written`)
    return job
  })
}

export function findJob(world: World, id: string): JobRecord | undefined {
  return world.cached(keyOf(id), () => selectJobs(world, 'world = ? AND id = ?', [id])[0])
}

/** How many jobs agree in all of these columns is counted for each block of so many ordinals: pages are found without a walk. */
export const BLOCK_SIZE = 1_024
export const COUNTED = ['registration_id', 'generation', 'object_type', 'status'] as const

/** Adds to the number of jobs that are like this one. */
function countJob(world: World, job: JobRecord, change: 1 | -1): void {
  world.run(COUNT, [...COUNTED.map((column) => job[column]), blockOf(job.ordinal), change])
}

const COUNT = `
  INSERT INTO job_counts (world, ${COUNTED.join(', ')}, block, count) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count`

export const blockOf = (ordinal: number) => Math.floor(ordinal / BLOCK_SIZE)
