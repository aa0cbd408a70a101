import type { Ports } from '../core/ports.ts'
import type { AttemptHead } from '../state/entries.ts'
import type { JobRecord } from '../state/job.ts'
import type { AttemptStartRecord, JobView } from '../state/job-view.ts'
import type { EndedAttempt } from './attempt.ts'

interface InterruptedPorts extends Pick<Ports, 'clock' | 'realTime'> {
  readonly view: Pick<JobView, 'begunJobs' | 'attemptStart'>
}

/**
 * What to put on record of the attempts that were cut off: they began, and the sandbox was stopped, killed or replaced before
 * they ended.
 * Such an attempt takes no place in the retry schedule and leaves the job as it was: it is due still, and sent again.
 */
export function interruptedAttempts(ports: InterruptedPorts): readonly EndedAttempt[] {
  return ports.view.begunJobs().flatMap((job) => {
    const start = ports.view.attemptStart(job)
    return start ? [toInterrupted(start, job, ports)] : []
  })
}

function toInterrupted(
  { head: start, exchange }: AttemptStartRecord,
  job: JobRecord,
  { clock, realTime }: InterruptedPorts,
): EndedAttempt {
  const { kind: _, source_address, ...about } = start
  const what = source_address === undefined ? '' : ` a POST from ${source_address}`
  const host = URL.parse(about.url)?.host ?? 'the receiver'
  const remedy = about.manual ? 'resend it' : 'it is sent again'
  const head: AttemptHead = {
    ...about,
    kind: 'attempt',
    at: clock.now(),
    recorded_at: realTime.now(),
    status: null,
    reason: 'interrupted',
    message: `Cut off: the sandbox was stopped, killed or replaced before ${host} had answered${what}; ${remedy}`,
    next_due_at: job.next_due_at,
    flags: [],
    timings: { connectedMs: null, answeredMs: null, totalMs: null },
  }
  return { job, entry: { head, body: exchange } }
}
