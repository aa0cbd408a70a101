import type { JobFilter, JobPage, JobPart } from '../../../engine/state/job-view.ts'
import type { JobRecord } from '../../../engine/state/job.ts'
import type { Sql } from '../sql.ts'
import { BLOCK_SIZE, whereOf, type BlockCount, type JobCounts } from './job-counts.ts'
import { JOB_COLUMNS, verifyJob } from './jobs.ts'

/** Lists jobs by pages, oldest first. */
export interface JobPages {
  page(filter: JobFilter, part: JobPart): JobPage
  /** Those about an object that the store keeps by one of these ids. */
  ofObject(ids: readonly string[]): readonly JobRecord[]
}

type Row = JobRecord & { readonly sum: number }

export interface JobPagesPorts {
  readonly sql: Sql
  readonly world: number
  readonly counts: Pick<JobCounts, 'blocks'>
  /** The file of the store, for errors. */
  readonly path: string
}

export function createJobPages({ sql, world, counts, path }: JobPagesPorts): JobPages {
  const selectOfObject = sql<Row>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE world = ? AND object_id = ?`)
  const toRecord = (row: Row) => verifyJob(row, path)
  const { countBefore, rowsFrom } = createBlockReads(sql, world)
  return {
    page(filter, { limit, offset, ordinal }) {
      const blocks = counts.blocks(filter)
      const total = countAll(blocks)
      const newest = offset ?? Math.max(0, total - limit)
      const before = ordinal === undefined ? newest : countBefore(filter, blocks, ordinal)
      const found = rowsFrom(filter, blocks, { skip: before, limit: limit + 1 })
      return { jobs: found.slice(0, limit).map(toRecord), total, before, next: found[limit]?.ordinal }
    },
    ofObject: (ids) =>
      [...new Set(ids)]
        .flatMap((id) => selectOfObject.all(world, id).map(toRecord))
        .toSorted((a, b) => a.ordinal - b.ordinal),
  }
}

interface PartOfBlock {
  readonly block: number
  readonly skip: number
  readonly limit: number
}

/** Reads within blocks, which are small. */
function createBlockReads(sql: Sql, world: number) {
  function rowsOf(filter: JobFilter, { block, skip, limit }: PartOfBlock): Row[] {
    const { where, values } = whereOf(filter)
    const text = `
      SELECT ${JOB_COLUMNS} FROM jobs WHERE world = ? AND ordinal >= ? AND ordinal < ?${where}
      ORDER BY ordinal LIMIT ? OFFSET ?`
    const from = block * BLOCK_SIZE
    return sql<Row>(text).all(world, from, from + BLOCK_SIZE, ...values, limit, skip)
  }

  return {
    /** How many jobs that agree come before an ordinal. */
    countBefore(filter: JobFilter, blocks: readonly BlockCount[], ordinal: number): number {
      const own = Math.floor(ordinal / BLOCK_SIZE)
      const { where, values } = whereOf(filter)
      const text = `SELECT count(*) AS count FROM jobs WHERE world = ? AND ordinal >= ? AND ordinal < ?${where}`
      const row = sql<{ count: number }>(text).get(world, own * BLOCK_SIZE, ordinal, ...values)
      return countAll(blocks.filter(({ block }) => block < own)) + (row?.count ?? 0)
    },
    /** At most `limit` of the jobs that agree, without the first `skip`. */
    rowsFrom(filter: JobFilter, blocks: readonly BlockCount[], part: Omit<PartOfBlock, 'block'>): Row[] {
      const rows: Row[] = []
      let { skip } = part
      for (const { block, count } of blocks) {
        const limit = part.limit - rows.length
        if (limit <= 0) break
        if (skip < count) rows.push(...rowsOf(filter, { block, skip, limit }))
        skip = Math.max(0, skip - count)
      }
      return rows
    },
  }
}

const countAll = (blocks: readonly BlockCount[]) => blocks.reduce((sum, { count }) => sum + count, 0)
