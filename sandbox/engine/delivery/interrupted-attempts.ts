import type { JobRecord } from '../state/job.ts'
import type { AttemptStartRecord, JobView } from '../state/job-view.ts'
import type { EndedAttempt } from './ended-attempt.ts'

/**
 * What to put on record of the attempts that were cut off: they began, and the sandbox was stopped, killed or replaced before
 * they ended.
 * Such an attempt takes no place in the retry schedule and leaves the job as it was: it is due still, and sent again.
 */
export function interruptedAttempts(
  view: Pick<JobView, 'begunJobs' | 'attemptStart'>,
): readonly EndedAttempt[] {
  return view.begunJobs().flatMap((job) => {
    const start = view.attemptStart(job)
    return start ? [toInterrupted(start, job)] : []
  })
}

function toInterrupted({ head: start, exchange }: AttemptStartRecord, job: JobRecord): EndedAttempt {
  const { at: _, source_address, ...about } = start
  const what = source_address === undefined ? '' : ` a POST from ${source_address}`
  const host = URL.parse(about.url)?.host ?? 'the receiver'
  const remedy = about.manual ? 'resend it' : 'it is sent again'
  return {
    job,
    head: {
      ...about,
      kind: 'attempt',
      status: null,
      reason: 'interrupted',
      message: `Cut off: the sandbox was stopped, killed or replaced before ${host} had answered${what}; ${remedy}`,
      flags: [],
      timings: { connectedMs: null, answeredMs: null, totalMs: null },
    },
    body: exchange,
    nextDueAt: () => job.next_due_at,
  }
}
