import { Command, Option } from 'commander'
import type { Attempt, JobDetail, JobSummary } from '../../spec/generated/control-types.ts'
import { benchOf, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { duration, shortId, styled, table } from './terminal.ts'
import { printable } from '../printable.ts'

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
    .option('--limit <count>', 'how many at most', '20')
    .option('--cursor <cursor>', 'go on from an earlier page')
  return withBenchOptions(command).action(async (flags: JobsFlags) => {
    const page = await benchOf(flags).jobs(queryOf(flags))
    print(page, page.jobs.length === 0 ? 'No jobs' : table([HEADINGS, ...page.jobs.map(row)]), flags)
    if (page.next_cursor !== null && flags.json !== true) console.log(`More: --cursor ${page.next_cursor}`)
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

function queryOf({ status, type, object, limit, cursor }: JobsFlags): Record<string, string> {
  const query = { status, object_type: type, object_id: object, limit, cursor }
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

const HEADINGS = ['JOB', 'OBJECT', 'STATE', 'STATUS', 'ATTEMPTS', 'LAST', 'NEXT DUE']

function row(job: JobSummary): string[] {
  return [
    job.id,
    printable(`${job.object_type} ${shortId(job.object_id)}`),
    job.state ?? '',
    job.status,
    String(job.attempts),
    job.last ?? '',
    job.next_due_at ?? '',
  ]
}

function shown({ job, attempts }: JobDetail): string {
  const lines = [
    styled('bold', `Job ${job.id}`),
    table([
      ['  object', printable(`${job.object_type} ${job.object_id}`), job.state ?? ''],
      ['  to', printable(job.url), job.generation],
      ['  status', job.status, job.next_due_at === null ? '' : `next attempt due ${job.next_due_at}`],
    ]),
    ...attempts.flatMap(attemptLines),
  ]
  const [first] = attempts
  return first ? [...lines, '', 'Sent:', printable(first.request.body)].join('\n') : lines.join('\n')
}

function attemptLines({ number, started_at, message, timings, response }: Attempt): string[] {
  const line = `  ${number}. ${started_at}  ${printable(message)}, ${duration(timings.total_ms)}`
  return response === null || response.body === ''
    ? [line]
    : [line, `     ${printable(response.body.slice(0, 200))}`]
}
