import type { DrawnJob } from '../data/job.ts'
import type { ObjectRow, RowGroup } from '../data/row-table.ts'
import type { TimelineData } from '../data/timeline-data.ts'

/** A line of the timeline: a payment's heading, or an object. */
export type Line =
  | { readonly kind: 'payment'; readonly key: string; readonly paymentId: string }
  | { readonly kind: 'object'; readonly key: string; readonly row: ObjectRow; readonly isInner: boolean }

/** Each is made once: there may be a hundred thousand, and they are listed anew with every page. */
const headings = new WeakMap<RowGroup, Line>()
const lines = new WeakMap<ObjectRow, Line>()

/** The lines of the groups from the `start`th to before the `end`th, of the rows that are wanted. */
export function listLines(
  { groups }: TimelineData,
  { start, end }: { readonly start: number; readonly end: number },
  isWanted: (job: DrawnJob) => boolean = () => true,
): Line[] {
  const listed: Line[] = []
  for (let index = start; index < end; index++) {
    const group = groups.at(index)
    if (!group) break
    const before = listed.length
    for (const row of group.rows) {
      if (!row.jobs.some(isWanted)) continue
      if (listed.length === before && group.paymentId !== null) listed.push(headingOf(group, group.paymentId))
      listed.push(lineOf(row, group.paymentId !== null))
    }
  }
  return listed
}

function headingOf(group: RowGroup, paymentId: string): Line {
  const known = headings.get(group)
  if (known) return known
  const line: Line = { kind: 'payment', key: paymentId, paymentId }
  headings.set(group, line)
  return line
}

function lineOf(row: ObjectRow, isInner: boolean): Line {
  const known = lines.get(row)
  // An object may come to belong to a payment.
  if (known?.kind === 'object' && known.isInner === isInner) return known
  const line: Line = { kind: 'object', key: row.key, row, isInner }
  lines.set(row, line)
  return line
}

/** The ids of jobs from the `start`th to before the `end`th, newest first, of those that are wanted. */
export function listJobs(
  data: TimelineData,
  { start, end }: { readonly start: number; readonly end: number },
  isWanted?: (job: DrawnJob) => boolean,
): string[] {
  const ids: string[] = []
  for (let index = start; index < end; index++) {
    const id = data.jobIds.at(index)
    if (id === undefined) break
    const job = isWanted && data.job(id)
    if (!isWanted || (job && isWanted(job))) ids.push(id)
  }
  return ids
}

/** Whether a job has every word of a search; undefined for a search without words, which all have. */
export function createFilter(text: string): ((job: DrawnJob) => boolean) | undefined {
  const words = text.split(/\s+/).filter(Boolean)
  return words.length === 0 ? undefined : (job) => words.every((word) => hasWord(job, word))
}

/** In large or small letters as it is given, or in small ones, as most of what is searched is. */
function hasWord({ summary }: DrawnJob, word: string): boolean {
  const { id, object_type, object_id, state, status, last, payment_id, generation } = summary
  const small = word.toLowerCase()
  const fields = [object_id, state, object_type, status, last, payment_id, id, generation]
  return fields.some((field) => field !== null && (field.includes(word) || field.includes(small)))
}
