import { Command } from 'commander'
import type { JobDetail } from '../../spec/generated/control-types.ts'
import { printable } from '../engine/core/printable.ts'
import { connect, print, withBenchOptions, type BenchFlags } from './bench-options.ts'
import { attemptLines } from './jobs-command.ts'

export function resendCommand(): Command {
  const command = new Command('resend')
    .description('send a job once more, as the operator of the service can')
    .argument('<job>', "the job's uuid")
  return withBenchOptions(command).action(async (id: string, flags: BenchFlags) => {
    const detail = await connect(flags)('resendJob', { path: { id } })
    print(detail, resent(detail), flags)
  })
}

/** The newest attempt of a job, and where the job stands with it. */
export function resent({ job, attempts }: JobDetail): string {
  const newest = attempts.at(-1)
  const due = job.next_due_at === null ? '' : `, next attempt due ${job.next_due_at}`
  return [
    printable(`Resent job ${job.id} to ${newest?.url ?? job.url}: it is ${job.status}${due}`),
    ...(newest ? attemptLines(newest) : []),
  ].join('\n')
}
