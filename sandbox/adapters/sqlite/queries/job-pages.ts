import type { JobFilter, JobPage, JobPart } from '../../../engine/state/job-view.ts'
import type { JobRecord } from '../../../engine/state/job.ts'
import type { World } from './world.ts'
import { blockOf, BLOCK_SIZE, COUNTED, selectJobs } from './job-rows.ts'

interface BlockCount {
  readonly block: number
  readonly count: number
}

/** A page of all jobs that agree with the filter, oldest first. */
export function pageOfJobs(world: World, filter: JobFilter, { limit, offset, ordinal }: JobPart): JobPage {
  const given = COUNTED.flatMap((column) =>
    filter[column] === undefined ? [] : [{ column, value: filter[column] }],
  )
  const where = given.map(({ column }) => ` AND ${column} = ?`).join('')
  const values = given.map(({ value }) => value)
  const blocks = world.all<BlockCount>(
    `SELECT block, sum(count) AS count FROM job_counts WHERE world = ?${where}
     GROUP BY block HAVING sum(count) > 0 ORDER BY block`,
    values,
  )
  const inRange = `world = ?${where} AND ordinal >= ? AND ordinal < ?`

  function countBefore(end: number): number {
    const own = blockOf(end)
    const text = `SELECT count(*) FROM jobs WHERE ${inRange}`
    const inOwn = world.value<number>(text, [...values, own * BLOCK_SIZE, end])
    return countAll(blocks.filter(({ block }) => block < own)) + inOwn
  }

  function jobsFrom(start: number, most: number): JobRecord[] {
    const jobs: JobRecord[] = []
    let skip = start
    for (const { block, count } of blocks) {
      if (jobs.length >= most) break
      const from = block * BLOCK_SIZE
      const part = [...values, from, from + BLOCK_SIZE, most - jobs.length, skip]
      if (skip < count) jobs.push(...selectJobs(world, `${inRange} ORDER BY ordinal LIMIT ? OFFSET ?`, part))
      skip = Math.max(0, skip - count)
    }
    return jobs
  }

  const total = countAll(blocks)
  const before = ordinal === undefined ? (offset ?? Math.max(0, total - limit)) : countBefore(ordinal)
  const found = jobsFrom(before, limit + 1)
  return { jobs: found.slice(0, limit), total, before, next: found[limit]?.ordinal }
}

const countAll = (blocks: readonly BlockCount[]) => blocks.reduce((sum, { count }) => sum + count, 0)

/** A page of the jobs about one object, of which there are few. */
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
