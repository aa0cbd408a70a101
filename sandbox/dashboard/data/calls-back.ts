import { objectKey, type DrawnCall, type DrawnJob, type TimelineData } from './timeline-data.ts'

/** Returns the receiver's API calls about a job's object whose latest preceding attempt belongs to this job. */
export function findCallsBack({ summary }: DrawnJob, data: TimelineData): readonly DrawnCall[] {
  const { id, object_type, object_id } = summary
  const group = data.groups.groupOf(object_type, object_id)
  if (!group) return []
  const isSame = (about: Pick<DrawnCall, 'object_type' | 'object_id'>) =>
    objectKey(about.object_type, about.object_id) === objectKey(object_type, object_id)
  const starts = data
    .jobsOf(group)
    .filter((job) => isSame(job.summary))
    .flatMap((job) => startsOf(job).map((at) => ({ at, jobId: job.summary.id })))
    .toSorted((a, b) => a.at - b.at)
  return group.calls.filter(
    (call) => isSame(call) && starts.findLast(({ at }) => at <= call.at)?.jobId === id,
  )
}

/** Returns the start times of the attempts that were sent. Uses start times: a receiver can call back before it responds. */
function startsOf({ createdAt, attempts }: DrawnJob): readonly number[] {
  return attempts.flatMap(({ at, took_ms, reason }, index) => {
    if (reason === 'dropped_by_fault') return []
    return index === 0 ? createdAt : at - (took_ms ?? 0)
  })
}
