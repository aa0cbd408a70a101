import type { JobFilter } from '../../../engine/state/job-view.ts'
import type { JobRecord, JobStatus } from '../../../engine/state/job.ts'
import type { Sql } from '../sql.ts'

/** How many jobs of each registration, type and status there are among each so many jobs: pages are found without a walk. */
export interface JobCounts {
  /** The blocks that have jobs which agree with the filter, in their order. */
  blocks(filter: JobFilter): readonly BlockCount[]
  add(job: JobRecord): void
  /** Notes that a job has another status. */
  move(job: JobRecord, status: JobStatus): void
  /** Writes the changes, before the transaction is committed. */
  save(): void
  /** Forgets the changes, after a rollback. */
  forget(): void
}

/** A block has the jobs whose ordinals begin with its number times `BLOCK_SIZE`. */
export interface BlockCount {
  readonly block: number
  readonly count: number
}

export const BLOCK_SIZE = 1_024

const KEY = ['registration_id', 'generation', 'object_type', 'status'] as const

type Counted = Pick<JobRecord, (typeof KEY)[number] | 'ordinal'>

export function createJobCounts(sql: Sql, world: number): JobCounts {
  const change = sql(`
    INSERT INTO job_counts (world, ${KEY.join(', ')}, block, count) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count`)
  /** By key, until they are written. */
  const changes = new Map<string, { readonly job: Counted; count: number }>()

  function add(job: Counted, count: number): void {
    const key = [blockOf(job), ...KEY.map((column) => job[column])].join(' ')
    const known = changes.get(key)
    if (known) known.count += count
    else changes.set(key, { job, count })
  }

  function save(): void {
    for (const { job, count } of changes.values())
      change.run(world, ...KEY.map((column) => job[column]), blockOf(job), count)
    changes.clear()
  }

  return {
    blocks(filter) {
      save()
      const { where, values } = whereOf(filter)
      const text = `
        SELECT block, sum(count) AS count FROM job_counts WHERE world = ?${where}
        GROUP BY block HAVING sum(count) > 0 ORDER BY block`
      return sql<BlockCount>(text).all(world, ...values)
    },
    add: (job) => add(job, 1),
    move(job, status) {
      add(job, -1)
      add({ ...job, status }, 1)
    },
    save,
    forget: () => changes.clear(),
  }
}

const blockOf = ({ ordinal }: Counted) => Math.floor(ordinal / BLOCK_SIZE)

/** The conditions of a filter, behind another condition. */
export function whereOf(filter: JobFilter): { readonly where: string; readonly values: readonly string[] } {
  const given = KEY.flatMap((column) => {
    const value = filter[column]
    return value === undefined ? [] : [{ column, value }]
  })
  return {
    where: given.map(({ column }) => ` AND ${column} = ?`).join(''),
    values: given.map(({ value }) => value),
  }
}
