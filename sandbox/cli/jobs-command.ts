import { Command, Option } from 'commander'
import type { Attempt, JobDetail, JobPage, JobSummary } from '../../spec/generated/control-types.ts'
import { printable } from '../engine/core/printable.ts'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { besideLines, kindsOf, shortened } from './exchange-lines.ts'
import { pageText, queryOf, withPageOptions, type PageFlags } from './listing.ts'
import { heldText } from './held.ts'
import { duration, shortId, styled, table } from './terminal.ts'

interface JobsFlags extends PageFlags {
  readonly status?: JobSummary['status']
  readonly type?: string
  readonly object?: string
  readonly generation?: JobSummary['generation']
  readonly wide?: boolean
}

export function jobsCommand(): Command {
  const command = new Command('jobs')
    .description('list delivery jobs, the newest last')
    .addOption(new Option('--status <status>', 'only these').choices(['pending', 'success', 'failed']))
    .option('--type <type>', 'only jobs of this object type')
    .option('--object <id>', 'only jobs of this object')
    .addOption(
      new Option('--generation <generation>', 'only webhooks, or only callbacks').choices([
        'webhooks',
        'callbacks',
      ]),
    )
    .option('--wide', 'with whole object ids, and when each job was made')
  return withBenchOptions(withPageOptions(command)).action(async (flags: JobsFlags) => {
    const { type, object, status, generation } = flags
    const perform = connect(flags)
    const page = await perform('listJobs', {
      query: queryOf(flags, { status, object_type: type, object_id: object, generation }),
    })
    const held = flags.json === true ? '' : await heldText(page.jobs, perform)
    print(page, `${listed(page, flags)}${held === '' ? '' : `\n${held}`}`, flags)
  })
}

export function jobCommand(): Command {
  const command = new Command('job')
    .description('show a job with its attempts: what was sent and what came back')
    .argument('<id>', "the job's uuid")
  return withBenchOptions(command).action(async (id: string, flags: BenchFlags) => {
    const perform = connect(flags)
    const detail = await perform('getJob', { path: { id } })
    const held = flags.json === true ? '' : await heldText([detail.job], perform)
    print(detail, `${shown(detail)}${held === '' ? '' : `\n${held}`}`, flags)
  })
}

/** A page, and how to come to what lies before and after it. */
export function listed({ jobs, older, next_cursor }: JobPage, flags: JobsFlags): string {
  const { status, type, object, generation, wide = false } = flags
  // Without a filter, the number of a job is how many came before it.
  const page = { rows: jobs.map((job) => row(job, wide)), none: 'No jobs', older, next_cursor, first: older }
  const filter = { status, type, object, generation }
  return pageText(wide ? WIDE_HEADINGS : HEADINGS, page, {
    command: wide ? 'jobs --wide' : 'jobs',
    flags,
    filter,
  })
}

const HEADINGS = ['JOB', 'BY', 'OBJECT', 'STATE', 'STATUS', 'ATTEMPTS', 'LAST', 'NEXT DUE']
const WIDE_HEADINGS = ['JOB', 'MADE', ...HEADINGS.slice(1)]

function row(job: JobSummary, wide: boolean): string[] {
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

/** A job with its attempts, and each body that was sent, once. */
export function shown({ job, attempts }: JobDetail): string {
  const lines = [
    styled('bold', `Job ${job.id}`),
    table([
      ['  object', printable(`${job.object_type} ${job.object_id}`), job.state ?? ''],
      ['  to', printable(job.url), job.generation],
      ['  status', job.status, job.next_due_at === null ? '' : `next attempt due ${job.next_due_at}`],
    ]),
    ...attempts.flatMap(attemptLines),
  ]
  return [...lines, ...attempts.flatMap(bodyLines)].join('\n')
}

/** A retry may have a body of its own. Reading: retry-body */
function bodyLines({ number, request }: Attempt, index: number, attempts: readonly Attempt[]): string[] {
  const before = attempts[index - 1]
  if (before?.request.body === request.body) return []
  return ['', before ? `Sent from attempt ${number} on:` : 'Sent:', printable(request.body)]
}

/** What came back at an attempt, what was odd about it, and what was sent beside it. */
export function attemptLines(attempt: Attempt): string[] {
  const { number, started_at, message, timings, response, manual, faults, others } = attempt
  const notes = [
    ...(manual ? ['by hand'] : []),
    ...(faults.length === 0 ? [] : [`${faults.length === 1 ? 'fault' : 'faults'} ${kindsOf(faults)}`]),
  ]
  const noted = notes.length === 0 ? '' : styled('yellow', ` (${printable(notes.join('; '))})`)
  const line = `  ${number}. ${started_at}  ${printable(message)}, ${duration(timings.total_ms)}${noted}`
  const body = response === null || response.body === '' ? [] : [`     ${shortened(response.body)}`]
  return [line, ...body, ...others.flatMap((other, index) => besideLines(other, index === 0 ? faults : []))]
}
