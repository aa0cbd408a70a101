import type { Generation } from '../../../../spec/delivery.ts'
import type { JobRecord, JobStatus } from '../job.ts'
import type { StoredWorld } from './world.ts'

export interface JobFilter {
  readonly registration_id?: string | undefined
  readonly status?: JobStatus | undefined
  readonly generation?: Generation | undefined
  readonly object_type?: string | undefined
}

/**
 * The number of jobs in a block. A count exists for each block and each combination of column values, so that a page needs no
 * full scan.
 */
export const BLOCK_SIZE = 256
export const COUNTED = ['registration_id', 'generation', 'object_type', 'status'] as const

export const blockOf = (ordinal: number) => Math.floor(ordinal / BLOCK_SIZE)

type Group = Pick<JobRecord, (typeof COUNTED)[number]>

interface Counts {
  readonly key: string
  readonly group: Group
  /** The number of jobs in each block, up to the last block with such jobs. */
  readonly byBlock: number[]
  total: number
}

export function countJob(world: StoredWorld, job: JobRecord, change: 1 | -1): void {
  const counts = countsLike(countsOf(world), job)
  const { key, group } = counts
  const block = blockOf(job.ordinal)
  const count = addToBlock(counts, block, change)
  world.writeLater(`${key} ${block}`, () =>
    world.run(PUT, [...COUNTED.map((column) => group[column]), block, count]),
  )
}

const PUT = `INSERT OR REPLACE INTO job_counts (world, ${COUNTED.join(', ')}, block, count) VALUES (?, ?, ?, ?, ?, ?, ?)`

function addToBlock(counts: Counts, block: number, change: number): number {
  const { byBlock } = counts
  while (byBlock.length <= block) byBlock.push(0)
  counts.total += change
  return (byBlock[block] = (byBlock[block] ?? 0) + change)
}

/** Returns the number of matching jobs. `byBlock` returns their number in each block. */
export function countMatching(world: StoredWorld, filter: JobFilter) {
  const matching = [...countsOf(world).values()].filter(({ group }) =>
    COUNTED.every((column) => filter[column] === undefined || filter[column] === group[column]),
  )
  return {
    total: matching.reduce((sum, { total }) => sum + total, 0),
    byBlock(): readonly number[] {
      const merged: number[] = []
      for (const { byBlock } of matching) {
        for (let block = 0; block < byBlock.length; block++)
          merged[block] = (merged[block] ?? 0) + (byBlock[block] ?? 0)
      }
      return merged
    },
  }
}

function countsOf(world: StoredWorld): Map<string, Counts> {
  return world.held('job counts', () => {
    const all = new Map<string, Counts>()
    const rows = world.all<Group & { readonly block: number; readonly count: number }>(
      `SELECT ${COUNTED.join(', ')}, block, count FROM job_counts WHERE world = ?`,
    )
    for (const row of rows) addToBlock(countsLike(all, row), row.block, row.count)
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
    counts = { key, group: { registration_id, generation, object_type, status }, byBlock: [], total: 0 }
    all.set(key, counts)
  }
  return counts
}
