import type { Command } from 'commander'
import type { Attempt, JobDetail, JobPage, JobSummary } from '../../spec/generated/control-types.ts'
import { GENERATIONS } from '../../spec/delivery.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import { commandLine } from '../engine/core/command-line.ts'
import type { Perform } from '../compose/perform.ts'
import { diffJson } from '../engine/core/json-diff.ts'
import { shortId, toPrintable } from '../engine/core/short-text.ts'
import { argument, choice, controlCommand, option } from './control-command.ts'
import { attemptLines } from './exchange-lines.ts'
import {
  atOption,
  formatPage,
  type PageFlags,
  pageOptions,
  pageQuery,
  type PastFlags,
  pastQuery,
} from './listing.ts'
import type { SandboxFlags } from './sandbox-flags.ts'
import { type LabeledValue, formatFacts, fitLine, style } from './terminal.ts'

interface JobsFlags extends PageFlags {
  readonly status?: JobSummary['status']
  readonly type?: string
  readonly object?: string
  readonly generation?: JobSummary['generation']
  readonly wide?: boolean
}

export function jobCommands(): Command[] {
  return [jobsCommand(), jobCommand(), resendCommand()]
}

function jobsCommand(): Command {
  return controlCommand({
    name: 'jobs',
    description: 'list delivery jobs, the newest last',
    about: [
      'A job is one notification to one registration, with all its attempts. The first line shows the command for the previous page. The last line shows the command for the next page.',
    ],
    examples: [
      ['jobs', 'list the newest 20 jobs'],
      ['jobs --status failed', 'list the jobs that have no more retries'],
      ['jobs --type items --object ITEM --wide', 'list the jobs of one object, with complete ids'],
      ['jobs --status pending --json', 'print the pending jobs as JSON, for a script'],
    ],
    seeAlso: ['job', 'resend', 'timeline', 'deliveries'],
    options: [
      choice('--status <status>', 'only these', ['pending', 'success', 'failed']),
      choice('--type <type>', 'only jobs of this object type', notifiedTypes),
      option('--object <id>', 'only jobs of this object'),
      choice('--generation <generation>', 'only webhooks, or only callbacks', GENERATIONS),
      option('--wide', 'with complete object ids, and the creation time of each job'),
      ...pageOptions(),
    ],
    call: (perform, flags: JobsFlags) => {
      const { type, object, status, generation } = flags
      const filter = { status, object_type: type, object_id: object, generation }
      return perform('listJobs', { query: pageQuery(flags, filter) })
    },
    text: async (page, flags, perform) =>
      [formatJobs(page, flags), ...(await heldLines(page.jobs, perform, flags))].join('\n'),
  })
}

function jobCommand(): Command {
  return controlCommand({
    name: 'job',
    description: 'show a job with the requests and responses of its attempts',
    about: [
      'The output shows the answer, the duration, the flags and a fix for each attempt. The output shows each body once.',
    ],
    examples: [
      ['job JOB', 'show a job by its id, or by the first characters of the id'],
      ['job JOB --diff', 'also show how the object differs from the sent body'],
      ['job JOB --json', 'print the complete job as JSON, for a script'],
    ],
    seeAlso: ['jobs', 'resend', 'deliver'],
    arguments: [argument('<id>', 'the uuid of the job')],
    options: [
      option('--diff', 'also show the differences between the newest body and the current object'),
      atOption(),
    ],
    call: readJob,
    text: async (detail, flags, perform) =>
      [
        formatJob(detail),
        ...formatBodyChanges(detail),
        ...(await heldLines([detail.job], perform, flags)),
      ].join('\n'),
  })
}

function resendCommand(): Command {
  return controlCommand({
    name: 'resend',
    description: 'resend a job, as the operator of the service does',
    about: ['You can resend only a failed job of a webhook. The registration of the job must exist.'],
    examples: [
      ['resend JOB', ''],
      ['resend JOB --json', 'print the job with all its attempts, for a script'],
    ],
    seeAlso: ['job', 'deliver'],
    arguments: [argument('<job>', 'the uuid of the job')],
    call: (perform, { job }: SandboxFlags & { readonly job: string }) =>
      perform('resendJob', { path: { id: job } }),
    text: formatResend,
  })
}

interface JobFlags extends PastFlags {
  readonly id: string
  readonly diff?: boolean
}

/** A job with the current body of its object. The current body is null if the object no longer exists. */
type ComparedJob = JobDetail & { readonly current_body?: string | null }

async function readJob(perform: Perform, flags: JobFlags): Promise<ComparedJob> {
  const detail = await perform('getJob', { path: { id: flags.id }, query: pastQuery(flags) })
  if (flags.diff !== true) return detail
  const { body } = await perform('getCurrentBody', { path: { id: detail.job.id } })
  return { ...detail, current_body: body }
}

export function formatBodyChanges({ attempts, current_body: now }: ComparedJob): string[] {
  const sent = attempts.at(-1)?.request.body
  if (now === undefined) return []
  if (now === null) return ['', 'The object no longer exists, so no comparison is possible']
  if (sent === undefined) return ['', 'No body was sent yet, so no comparison is possible']
  const changes = diffJson(sent, now)
  if (!changes) return ['', 'The sent body is not JSON, so it has no fields to compare']
  if (changes.length === 0) return ['', 'The sent body equals the current object']
  const lines = changes.map(({ path, before = 'nothing', after = 'nothing' }) =>
    fitLine(`  ${toPrintable(path)}: ${before} → ${after}`, '     '),
  )
  return ['', 'Sent body → current object:', ...lines]
}

/** Formats the number of jobs delayed by faults. Returns no line if there are none, or if the user asked for an earlier time. */
async function heldLines(jobs: readonly JobSummary[], perform: Perform, flags: PastFlags): Promise<string[]> {
  if (flags.at !== undefined) return []
  const due = jobs.flatMap(({ status, next_due_at }) => (status === 'success' ? [] : (next_due_at ?? [])))
  if (due.length === 0) return []
  const { now } = await perform('getClock')
  if (due.every((instant) => Date.parse(instant) > Date.parse(now))) return []
  const { waiting_for = [] } = await perform('settle', { body: { timeout_ms: 0 } })
  const count = waiting_for.find(({ what }) => what === 'held_by_fault')?.count ?? 0
  return count === 0 ? [] : [`${count} delayed by a fault (${commandLine('faults', flags)})`]
}

export function formatJobs({ jobs, older, next_cursor }: JobPage, flags: JobsFlags): string {
  const { status, type, object, generation, wide = false } = flags
  // In the unfiltered list, a job's number is also its position.
  const page = {
    rows: jobs.map((job) => jobRow(job, wide)),
    none: 'No jobs',
    older,
    next_cursor,
    first: older,
    keepsIds: wide,
  }
  const filter = { status, type, object, generation }
  const command = wide ? 'jobs --wide' : 'jobs'
  return formatPage(wide ? WIDE_HEADINGS : HEADINGS, page, { command, flags, filter })
}

const HEADINGS = ['JOB', 'BY', 'OBJECT', 'STATE', 'STATUS', 'ATTEMPTS', 'LAST', 'NEXT DUE']
const WIDE_HEADINGS = ['JOB', 'MADE', ...HEADINGS.slice(1)]

function jobRow(job: JobSummary, wide: boolean): string[] {
  return [
    job.id,
    ...(wide ? [job.created_at] : []),
    job.generation === 'callbacks' ? 'callback' : 'webhook',
    `${job.object_type} ${wide ? job.object_id : shortId(job.object_id)}`,
    job.state ?? '',
    job.status,
    String(job.attempts),
    job.last ?? '',
    job.next_due_at ?? '',
  ]
}

const CORRUPT: LabeledValue = [
  'corrupt',
  'the stored body is damaged, so the job is not sent',
  '"doctor --store" lists all damage',
]

export function formatJob({ job, attempts, corrupt }: JobDetail): string {
  const lines = [
    style('bold', `Job ${job.id}`),
    formatFacts([
      ['object', toPrintable(`${job.object_type} ${job.object_id}`), job.state ?? ''],
      ['to', toPrintable(job.url), job.generation],
      ['status', job.status, job.next_due_at === null ? '' : `next attempt due ${job.next_due_at}`],
      ...(corrupt ? [CORRUPT] : []),
    ]),
    ...attempts.flatMap(attemptLines),
  ]
  return [...lines, ...attempts.flatMap(bodyLines)].join('\n')
}

/** Formats the body of an attempt if the body differs from the body of the previous attempt. Reading: retry-body */
function bodyLines({ number, request }: Attempt, index: number, attempts: readonly Attempt[]): string[] {
  const before = attempts[index - 1]
  if (before?.request.body === request.body) return []
  return ['', before ? `Sent from attempt ${number} on:` : 'Sent:', toPrintable(request.body)]
}

export function formatResend({ job, attempts }: JobDetail): string {
  const newest = attempts.at(-1)
  const due = job.next_due_at === null ? '' : `, next attempt due ${job.next_due_at}`
  return [
    toPrintable(`Resent job ${job.id} to ${newest?.url ?? job.url}: it is ${job.status}${due}`),
    ...(newest ? attemptLines(newest) : []),
  ].join('\n')
}
