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

/** The number of blocks in a span. A count exists for each span in memory, so that a page adds up few counts. */
const SPAN_SIZE = 64

export const blockOf = (ordinal: number) => Math.floor(ordinal / BLOCK_SIZE)

type Group = Pick<JobRecord, (typeof COUNTED)[number]>

interface Counts {
  readonly group: Group
  /** The number of jobs in each block, up to the last block with such jobs. */
  readonly byBlock: number[]
  readonly bySpan: number[]
  /** The blocks whose stored count is out of date. */
  readonly changed: Set<number>
  total: number
}

export function countJob(world: StoredWorld, job: JobRecord, change: 1 | -1): void {
  const { byRegistration, save } = countsOf(world)
  const counts = countsLike(byRegistration, job)
  const block = blockOf(job.ordinal)
  addToBlock(counts, block, change)
  counts.changed.add(block)
  world.writeLater(save)
}

const PUT = `INSERT OR REPLACE INTO job_counts (world, ${COUNTED.join(', ')}, block, count) VALUES (?, ?, ?, ?, ?, ?, ?)`

function saveChanged(world: StoredWorld, { group, byBlock, changed }: Counts): void {
  for (const block of changed)
    world.run(PUT, [...COUNTED.map((column) => group[column]), block, byBlock[block] ?? 0])
  changed.clear()
}

function addToBlock(counts: Counts, block: number, change: number): void {
  addTo(counts.byBlock, block, change)
  addTo(counts.bySpan, Math.floor(block / SPAN_SIZE), change)
  counts.total += change
}

function addTo(sums: number[], index: number, change: number): void {
  while (sums.length <= index) sums.push(0)
  sums[index] = (sums[index] ?? 0) + change
}

/** Counts the matching jobs. `countIn` counts the jobs of one block. */
export function countMatching(world: StoredWorld, filter: JobFilter) {
  const matching = [...countsOf(world).byRegistration.values()]
    .flat()
    .filter(({ group }) =>
      COUNTED.every((column) => filter[column] === undefined || filter[column] === group[column]),
    )
  const total = matching.reduce((sum, counts) => sum + counts.total, 0)
  const blocks = matching.reduce((most, { byBlock }) => Math.max(most, byBlock.length), 0)

  const countIn = (block: number) => matching.reduce((sum, { byBlock }) => sum + (byBlock[block] ?? 0), 0)
  const countInSpan = (span: number) => matching.reduce((sum, { bySpan }) => sum + (bySpan[span] ?? 0), 0)

  return {
    total,
    blocks,
    countIn,
    countBeforeBlock(end: number): number {
      let [block, count] = [0, 0]
      for (; block + SPAN_SIZE <= end; block += SPAN_SIZE) count += countInSpan(block / SPAN_SIZE)
      while (block < end) count += countIn(block++)
      return count
    },
    /** Returns the block of a matching job, and the number of matching jobs in the earlier blocks. */
    findBlock(index: number): { block: number; before: number } {
      let [span, before] = [0, 0]
      while (before + countInSpan(span) <= index) before += countInSpan(span++)
      let block = span * SPAN_SIZE
      while (before + countIn(block) <= index) before += countIn(block++)
      return { block, before }
    },
  }
}

type CountsByRegistration = Map<string, Counts[]>

function countsOf(world: StoredWorld) {
  return world.held('job counts', () => {
    const byRegistration: CountsByRegistration = new Map()
    const rows = world.all<Group & { readonly block: number; readonly count: number }>(
      `SELECT ${COUNTED.join(', ')}, block, count FROM job_counts WHERE world = ?`,
    )
    for (const row of rows) addToBlock(countsLike(byRegistration, row), row.block, row.count)
    const save = () => byRegistration.forEach((all) => all.forEach((counts) => saveChanged(world, counts)))
    return { byRegistration, save }
  })
}

function countsLike(
  byRegistration: CountsByRegistration,
  { registration_id, generation, object_type, status }: Group,
): Counts {
  const all = byRegistration.get(registration_id) ?? []
  const known = all.find(
    ({ group }) =>
      group.status === status && group.object_type === object_type && group.generation === generation,
  )
  if (known) return known
  const group = { registration_id, generation, object_type, status }
  const counts: Counts = { group, byBlock: [], bySpan: [], changed: new Set(), total: 0 }
  byRegistration.set(registration_id, [...all, counts])
  return counts
}
