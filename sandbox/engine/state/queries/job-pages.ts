import type { JobRecord } from '../job.ts'
import type { StoredWorld } from './world.ts'
import { BLOCK_SIZE, blockOf, COUNTED, countMatching, type JobFilter } from './job-counts.ts'
import { selectJobs } from './job-rows.ts'

export interface JobPageFilter extends JobFilter {
  readonly object_id?: string | undefined
}

/** A page of jobs that starts after `offset` jobs or at `ordinal`. By default, the page contains the newest jobs. */
export interface JobPart {
  readonly limit: number
  readonly offset?: number | undefined
  readonly ordinal?: number | undefined
}

export interface JobPage {
  readonly jobs: readonly JobRecord[]
  /** The number of matching jobs, in total and before the page. */
  readonly total: number
  readonly before: number
  /** The number of the first job after the page. Undefined on the last page. */
  readonly next: number | undefined
}

/** Returns a page of matching jobs, oldest first. */
export function pageOfJobs(
  world: StoredWorld,
  filter: JobFilter,
  { limit, offset, ordinal }: JobPart,
): JobPage {
  const { total, blocks, countIn, countBeforeBlock, findBlock } = countMatching(world, filter)
  const given = COUNTED.filter((column) => filter[column] !== undefined)
  const values = given.map((column) => filter[column] ?? null)
  const inRange = `world = ?${given.map((column) => ` AND ${column} = ?`).join('')} AND ordinal >= ? AND ordinal < ?`

  function countBefore(end: number): number {
    const own = blockOf(end)
    const text = `SELECT count(*) FROM jobs WHERE ${inRange}`
    return world.value<number>(text, [...values, own * BLOCK_SIZE, end]) + countBeforeBlock(own)
  }

  function jobsFrom(start: number, most: number): JobRecord[] {
    const jobs: JobRecord[] = []
    const wanted = Math.min(most, total - start)
    if (wanted <= 0) return jobs
    let { block, before } = findBlock(start)
    for (let skip = start - before; block < blocks && jobs.length < wanted; block++, skip = 0) {
      const count = countIn(block)
      // In a full block, every job matches the filter.
      const first = count === BLOCK_SIZE ? block * BLOCK_SIZE + skip : block * BLOCK_SIZE
      const part = [first, (block + 1) * BLOCK_SIZE, most - jobs.length, count === BLOCK_SIZE ? 0 : skip]
      if (count > 0)
        jobs.push(
          ...selectJobs(world, `WHERE ${inRange} ORDER BY ordinal LIMIT ? OFFSET ?`, [...values, ...part]),
        )
    }
    return jobs
  }

  const before = ordinal === undefined ? (offset ?? Math.max(0, total - limit)) : countBefore(ordinal)
  const found = jobsFrom(before, limit + 1)
  return { jobs: found.slice(0, limit), total, before, next: found[limit]?.ordinal }
}

export function pageAmong(jobs: readonly JobRecord[], filter: JobFilter, part: JobPart): JobPage {
  const { limit, offset, ordinal } = part
  const found = jobs.filter((job) =>
    COUNTED.every((key) => filter[key] === undefined || filter[key] === job[key]),
  )
  const newest = offset ?? Math.max(0, found.length - limit)
  const before = ordinal === undefined ? newest : found.filter((job) => job.ordinal < ordinal).length
  const jobsOfPage = found.slice(before, before + limit)
  return { jobs: jobsOfPage, total: found.length, before, next: found[before + limit]?.ordinal }
}
