import type { TimelineData, DrawnCall, DrawnJob } from './timeline-data.ts'

/** Lists the calls about the object of a job that followed this job, before another job of the object. */
export function findCallsBack({ summary }: DrawnJob, data: TimelineData): readonly DrawnCall[] {
  const { id, object_type, object_id } = summary
  const group = data.groupOf(object_type, object_id)
  if (!group) return []
  const isSame = (about: { readonly object_type: string; readonly object_id: string }) =>
    about.object_type === object_type && about.object_id === object_id
  const starts = group.jobIds
    .flatMap((jobId) => data.job(jobId) ?? [])
    .filter((job) => isSame(job.summary))
    .flatMap((job) => startsOf(job).map((at) => ({ at, jobId: job.summary.id })))
    .toSorted((a, b) => a.at - b.at)
  return group.calls.filter(
    (call) => isSame(call) && starts.findLast(({ at }) => at <= call.at)?.jobId === id,
  )
}

/** A receiver may call before it answers. */
function startsOf({ createdAt, attempts }: DrawnJob): readonly number[] {
  return [createdAt, ...attempts.slice(1).map(({ at, took_ms }) => at - (took_ms ?? 0))]
}
