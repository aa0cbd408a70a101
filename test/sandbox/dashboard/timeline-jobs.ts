import type { JobSummary, TimelineJob } from '../../../spec/generated/control-types.ts'
import { job } from '../../support/control-records.ts'

const START = Date.parse('2026-01-01T00:00:00.000Z')
export const minute = (count: number) => START + count * 60_000
const instant = (count: number) => new Date(minute(count)).toISOString()

interface Options extends Partial<JobSummary> {
  /** The time in minutes after `START`. */
  readonly made?: number
  /** The status of each response, by its time in minutes after `START`. */
  readonly answers?: Readonly<Record<number, number>>
  /** The time in minutes after `START`. */
  readonly due?: number
}

export function timelineJob(
  id: string,
  { made = 0, answers: statusByMinute = {}, due, ...fields }: Options = {},
): TimelineJob {
  const answers = Object.entries(statusByMinute)
  const last = answers.at(-1)?.[1]
  return {
    job: job({
      id,
      object_id: `object-of-${id}`,
      created_at: instant(made),
      attempts: answers.length,
      status: last === undefined ? 'pending' : last < 300 ? 'success' : 'failed',
      next_due_at: due === undefined ? null : instant(due),
      window_ends_at: due === undefined ? null : instant(due + 420),
      ...fields,
    }),
    attempts: answers.map(([at, status], index) => ({
      number: index + 1,
      at: instant(Number(at)),
      status,
      reason: status < 300 ? null : `http_${status}`,
      manual: false,
      took_ms: 3,
      faults: [],
    })),
  }
}
