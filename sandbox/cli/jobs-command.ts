import { Command, Option } from 'commander'
import type { Attempt, JobDetail, JobPage, JobSummary } from '../../spec/generated/control-types.ts'
import { DEFAULT_DATA_FOLDER } from '../adapters/data-folder.ts'
import { printable } from '../printable.ts'
import { benchOf, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { duration, shortId, styled, table } from './terminal.ts'

const DEFAULT_LIMIT = '20'

interface JobsFlags extends BenchFlags {
  readonly status?: string
  readonly type?: string
  readonly object?: string
  readonly limit: string
  readonly cursor?: string
}

export function jobsCommand(): Command {
  const command = new Command('jobs')
    .description('list delivery jobs, the newest last')
    .addOption(new Option('--status <status>', 'only these').choices(['pending', 'success', 'failed']))
    .option('--type <type>', 'only jobs of this object type')
    .option('--object <id>', 'only jobs of this object')
    .option('--limit <count>', 'how many at most', DEFAULT_LIMIT)
    .option('--cursor <cursor>', 'go on from an earlier page')
  return withBenchOptions(command).action(async (flags: JobsFlags) => {
    const page = await benchOf(flags).jobs(queryOf(flags))
    print(page, listed(page, flags), flags)
  })
}

export function jobCommand(): Command {
  const command = new Command('job')
    .description('show a job with its attempts: what was sent and what came back')
    .argument('<id>', "the job's uuid")
  return withBenchOptions(command).action(async (id: string, flags: BenchFlags) => {
    const detail = await benchOf(flags).job(id)
    print(detail, shown(detail), flags)
  })
}

/** A page, and how to come to what lies before and after it. */
export function listed({ jobs, older, next_cursor }: JobPage, flags: JobsFlags): string {
  const rows = jobs.length === 0 ? 'No jobs' : table([HEADINGS, ...jobs.map(row)])
  const before = older === 0 ? [] : [`${older} older: ${commandFor('0', flags)}`]
  const after = next_cursor === null ? [] : [`More: ${commandFor(next_cursor, flags)}`]
  return [...before, rows, ...after].join('\n')
}

/** What shows the page from `cursor` on, with the same filter. */
function commandFor(cursor: string, { data, status, type, object, limit }: JobsFlags): string {
  const given = [
    ['--data', data === DEFAULT_DATA_FOLDER ? undefined : data],
    ['--status', status],
    ['--type', type],
    ['--object', object],
    ['--limit', limit === DEFAULT_LIMIT ? undefined : limit],
    ['--cursor', cursor],
  ] as const
  const options = given.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]))
  return printable(['npx hookbench jobs', ...options].join(' '))
}

function queryOf({ status, type, object, limit, cursor }: JobsFlags): Record<string, string> {
  const query = { status, object_type: type, object_id: object, limit, cursor }
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

const HEADINGS = ['JOB', 'BY', 'OBJECT', 'STATE', 'STATUS', 'ATTEMPTS', 'LAST', 'NEXT DUE']

function row(job: JobSummary): string[] {
  return [
    job.id,
    job.generation === 'callbacks' ? 'callback' : 'webhook',
    printable(`${job.object_type} ${shortId(job.object_id)}`),
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

function attemptLines({ number, started_at, message, timings, response }: Attempt): string[] {
  const line = `  ${number}. ${started_at}  ${printable(message)}, ${duration(timings.total_ms)}`
  return response === null || response.body === ''
    ? [line]
    : [line, `     ${printable(response.body.slice(0, 200))}`]
}
