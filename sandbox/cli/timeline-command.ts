import type { Command } from 'commander'
import { OPERATIONS } from '../../spec/generated/control-operations.ts'
import type { TimelineAttempt, TimelineJob, TimelinePage } from '../../spec/generated/control-types.ts'
import { duration, shortId, toPrintable } from '../engine/core/short-text.ts'
import { controlCommand, option } from './control-command.ts'
import { atOption, formatCommand, formatTable, limitOption, type PastFlags, pastQuery } from './listing.ts'

interface TimelineFlags extends PastFlags {
  readonly limit: number
  readonly before?: string
}

const LIMIT = { ...OPERATIONS.listTimeline.query.limit, fallback: 50 }

export function timelineCommand(): Command {
  return controlCommand({
    name: 'timeline',
    description: 'list the events of each object with their times, jobs, attempts and calls',
    summary: 'list the events of each object with their times',
    about: [
      'The output is grouped by payment and object. For each attempt, the output shows the delay after the trigger.',
    ],
    examples: [
      ['timeline', 'list the newest 50 jobs'],
      ['timeline --limit 200 --json', 'print the newest 200 jobs as JSON, for a script'],
    ],
    seeAlso: ['jobs', 'events', 'requests'],
    options: [
      limitOption('maximum number of jobs', LIMIT),
      option('--before <before>', 'list jobs older than this cursor, which an earlier page printed'),
      atOption(),
    ],
    call: (perform, flags: TimelineFlags) => {
      const { limit, before } = flags
      const query = { limit, ...(before !== undefined && { before }), ...pastQuery(flags) }
      return perform('listTimeline', { query })
    },
    text: formatTimeline,
  })
}

const HEADINGS = ['AT', 'PAYMENT', 'OBJECT', 'STATE', 'ATTEMPTS', 'NEXT', 'CALLS']

/** Formats a page of jobs. Groups the jobs by payment or object, in the order of each group's first job. */
export function formatTimeline({ jobs, calls, older, before }: TimelinePage, flags: TimelineFlags): string {
  const { limit, at } = flags
  const byPayment = Map.groupBy(jobs, ({ job }) => job.payment_id ?? objectKey(job))
  const rows = [...byPayment.values()].flatMap((group) =>
    [...Map.groupBy(group, ({ job }) => objectKey(job))].flatMap(([key, ofObject]) => {
      const called = calls.filter((call) => objectKey(call) === key).length
      return ofObject.map((each, index) => timelineRow(each, index === 0 ? called : 0))
    }),
  )
  const given = { limit: limit === LIMIT.fallback ? undefined : limit, at }
  const earlier =
    before === null ? [] : [`${older} older: ${formatCommand('timeline', { ...given, before }, flags)}`]
  return [...earlier, rows.length === 0 ? 'No jobs' : formatTable(HEADINGS, rows)].join('\n')
}

const objectKey = ({ object_type, object_id }: Readonly<Record<'object_type' | 'object_id', string>>) =>
  `${object_type}/${object_id}`

function timelineRow({ job, attempts }: TimelineJob, calls: number): string[] {
  const { created_at, payment_id, object_type, object_id, state, next_due_at } = job
  return [
    created_at,
    payment_id === null ? '' : shortId(payment_id),
    `${object_type} ${shortId(object_id)}`,
    state ?? '',
    attempts.map((attempt) => attemptMark(attempt, created_at)).join(' '),
    next_due_at ?? '',
    calls === 0 ? '' : String(calls),
  ].map(toPrintable)
}

/** Formats the result of an attempt and the time since the job was created, such as `✗ 503 +5 min`. */
function attemptMark({ at, status, reason, manual }: TimelineAttempt, created: string): string {
  const afterMs = Date.parse(at) - Date.parse(created)
  const end = reason === null ? `✓ ${status}` : `✗ ${status ?? reason}`
  return `${end}${afterMs < 1_000 ? '' : ` +${duration(afterMs)}`}${manual ? ' by hand' : ''}`
}
