import type { Generation } from '../../../../spec/delivery.ts'
import type { JobRecord, JobStatus } from '../job.ts'
import type { World } from './world.ts'

export interface JobFilter {
  readonly registration_id?: string | undefined
  readonly status?: JobStatus | undefined
  readonly generation?: Generation | undefined
  readonly object_type?: string | undefined
}

/**
 * The number of jobs in a block. Keeps a count of jobs for each block and each combination of column values, so that a page needs
 * no full scan.
 */
export const BLOCK_SIZE = 256
export const COUNTED = ['registration_id', 'generation', 'object_type', 'status'] as const

export const blockOf = (ordinal: number) => Math.floor(ordinal / BLOCK_SIZE)

type Group = Pick<JobRecord, (typeof COUNTED)[number]>

interface Counts {
  readonly key: string
  readonly group: Group
  readonly byBlock: number[]
}

export function countJob(world: World, job: JobRecord, change: 1 | -1): void {
  const { key, group, byBlock } = countsLike(countsOf(world), job)
  const block = blockOf(job.ordinal)
  const count = (byBlock[block] ?? 0) + change
  byBlock[block] = count
  world.writeLater(`${key} ${block}`, () =>
    world.run(PUT, [...COUNTED.map((column) => group[column]), block, count]),
  )
}

const PUT = `INSERT OR REPLACE INTO job_counts (world, ${COUNTED.join(', ')}, block, count) VALUES (?, ?, ?, ?, ?, ?, ?)`

export function countByBlock(world: World, filter: JobFilter): readonly number[] {
  const { webhook_jobs, callback_jobs } = world.state
  const total = Array.from({ length: Math.ceil((webhook_jobs + callback_jobs) / BLOCK_SIZE) }, () => 0)
  for (const { group, byBlock } of countsOf(world).values()) {
    if (!COUNTED.every((column) => filter[column] === undefined || filter[column] === group[column])) continue
    byBlock.forEach((count, block) => (total[block] = (total[block] ?? 0) + count))
  }
  return total
}

function countsOf(world: World): Map<string, Counts> {
  return world.held('job counts', () => {
    const all = new Map<string, Counts>()
    const rows = world.all<Group & { readonly block: number; readonly count: number }>(
      `SELECT ${COUNTED.join(', ')}, block, count FROM job_counts WHERE world = ?`,
    )
    for (const row of rows) countsLike(all, row).byBlock[row.block] = row.count
    return all
  })
}

function countsLike(
  all: Map<string, Counts>,
  { registration_id, generation, object_type, status }: Group,
): Counts {
  const key = `${registration_id} ${generation} ${object_type} ${status}`
  let counts = all.get(key)
  if (!counts) {
    counts = { key, group: { registration_id, generation, object_type, status }, byBlock: [] }
    all.set(key, counts)
  }
  return counts
}
