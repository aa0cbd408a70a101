import type { DrawnJob } from '../data/job.ts'
import type { ObjectRow } from '../data/row-table.ts'
import type { TimelineData } from '../data/timeline-data.ts'

/** A line of the timeline: a payment's heading, or an object. */
export type Line =
  | { readonly kind: 'payment'; readonly key: string; readonly paymentId: string }
  | { readonly kind: 'object'; readonly key: string; readonly row: ObjectRow; readonly isInner: boolean }

/** All lines, or those that have every word of the filter. */
export function listLines(data: TimelineData, filter: string): Line[] {
  const words = toWords(filter)
  const lines: Line[] = []
  for (let index = 0; index < data.groups.length; index++) {
    const group = data.groups.at(index)
    if (!group) continue
    const { paymentId, rows } = group
    const shown =
      words.length === 0 ? rows : rows.filter((row) => row.jobs.some((job) => hasWords(job, words)))
    if (shown.length === 0) continue
    if (paymentId !== null) lines.push({ kind: 'payment', key: paymentId, paymentId })
    for (const row of shown) lines.push({ kind: 'object', key: row.key, row, isInner: paymentId !== null })
  }
  return lines
}

/** Their ids, newest first. */
export function listJobs(data: TimelineData, filter: string): string[] {
  const words = toWords(filter)
  const ids: string[] = []
  for (let index = 0; index < data.jobIds.length; index++) {
    const job = data.job(data.jobIds.at(index) ?? '')
    if (job && (words.length === 0 || hasWords(job, words))) ids.push(job.summary.id)
  }
  return ids
}

const toWords = (filter: string) => filter.split(/\s+/).filter(Boolean)

/** In large or small letters as they are given, or in small ones, as most of what is searched is. */
function hasWords({ summary }: DrawnJob, words: readonly string[]): boolean {
  const { id, object_type, object_id, state, status, last, payment_id, generation } = summary
  const fields = [id, object_type, object_id, state, status, last, payment_id, generation]
  return words.every((word) => {
    const small = word.toLowerCase()
    return fields.some((field) => field !== null && (field.includes(word) || field.includes(small)))
  })
}
