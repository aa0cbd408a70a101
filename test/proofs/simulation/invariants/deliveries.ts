import { scheduledAttempts, statusAfter, type Job } from '../reference-model.ts'
import type { Run } from '../run.ts'
import { isAccepted, postsByKey, recordedByKey, type RecordedAttempt } from '../sent-posts.ts'
import type { Post } from '../world/history.ts'
import { offsetsMs } from './attempts.ts'
import type { Invariant } from './invariant.ts'

const about = ({ head }: Job) => `job "${head.id}" of ${head.object_type} "${head.object_id}"`

export const noLoss: Invariant = {
  id: 'I-noloss',
  about:
    'in the end every job was delivered, or tried to the end of its schedule, or called off; nothing is left behind',
  check(run) {
    const { model } = run
    const known = new Map(run.jobs.map((job) => [job.id, job]))
    const problems = model.jobs.flatMap((job) => {
      const state = known.get(job.head.id)
      const attempts = job.attempts.map(({ head }) => head)
      const last = scheduledAttempts(job).at(-1)
      if (!state) return [`${about(job)} is on record, and the sandbox does not know it`]
      if (state.next_due_at !== null) return [`${about(job)} is due still, since ${state.next_due_at}`]
      if (statusAfter(attempts) === 'success' || job.cancelled) return []
      if (last === undefined) return [`${about(job)} was never attempted`]
      const missing = 1 + offsetsMs(job, run).length - scheduledAttempts(job).length
      if (missing > 0) return [`${about(job)} was given up, with ${missing} attempts of its schedule left`]
      if (last.next_due_at !== null) return [`${about(job)} has a retry on record that was never made`]
      return job.head.at >= run.healthyFrom ? [`${about(job)} failed at a healthy receiver`] : []
    })
    const stuck = run.stuck.map((id) => `job "${id}" was due for days, and sent after a restart only`)
    return [...problems, ...stuck, ...undeliveredSuccesses(run)]
  },
}

/** What is on record as delivered, and no receiver has accepted. */
function undeliveredSuccesses(run: Run): readonly string[] {
  const posts = postsByKey(run)
  return [...recordedByKey(run)].flatMap(([key, recorded]) => {
    const successes = recorded.filter(({ head }) => statusAfter([head]) === 'success')
    const accepted = (posts.get(key) ?? []).filter(isAccepted)
    return successes.length > accepted.length
      ? [
          `${successes.length} attempts of ${successes[0]?.head.url} are successes, and ${accepted.length} were accepted`,
        ]
      : []
  })
}

/** Not sent, but on record: reasons of an attempt that no receiver has seen. */
const UNSENT: ReadonlySet<string | null> = new Set(['out_of_resources', 'dropped_by_fault'])

export const dupBound: Invariant = {
  id: 'I-dupbound',
  about:
    'a receiver gets no more POSTs than there are attempts on record, but for what was under way at a crash',
  check(run) {
    const recorded = recordedByKey(run)
    return [...postsByKey(run)].flatMap(([key, posts]) => {
      const all = recorded.get(key) ?? []
      const ended = all.filter(({ head }) => head.reason !== 'interrupted')
      const missing = ended.filter(({ head }) => !UNSENT.has(head.reason)).length - posts.length
      const extra = posts.length - ended.length
      const allowed = countUnderWayAtCrashes(posts, run, countSenders(all, run))
      if (missing > 0)
        return [`${missing} attempts are on record whose POST did not arrive at ${posts[0]?.url}`]
      return extra > allowed
        ? [`${posts[0]?.url} got ${extra} POSTs too many: ${allowed} were under way at crashes`]
        : []
    })
  },
}

/** How many jobs send these bytes; where each attempt sends the object as it is, all those of the object may. */
function countSenders(recorded: readonly RecordedAttempt[], { setup, model }: Run): number {
  const objects = new Set(recorded.map(({ job }) => job.head.object_id))
  const senders =
    setup.readings['retry-body'] === 'current'
      ? model.jobs.filter(({ head }) => objects.has(head.object_id))
      : recorded.map(({ job }) => job)
  return new Set(senders).size
}

/** At most one of each job can be under way when a process ends, and only the last ones of that process. */
function countUnderWayAtCrashes(posts: readonly Post[], { history }: Run, jobs: number): number {
  const crashed = history.crashes.filter(({ kind }) => kind !== 'closed')
  return crashed.reduce((sum, { incarnation }) => {
    const own = posts.filter((post) => post.incarnation === incarnation)
    return sum + Math.min(own.length, Math.max(1, jobs))
  }, 0)
}

export const order: Invariant = {
  id: 'I-order',
  about: 'first attempts about one object start in the order of its changes, one after the other',
  check(run) {
    const byObject = Map.groupBy(run.model.jobs, ({ head }) => `${head.registration_id}/${head.object_id}`)
    return [...byObject.values()].flatMap((jobs) =>
      jobs.flatMap((job, index) => outOfOrder(job, jobs[index - 1])),
    )
  },
}

function outOfOrder(job: Job, before: Job | undefined): readonly string[] {
  const start = job.starts[0]
  if (!start || !before) return []
  // Called off before it was attempted: nobody is to see it.
  const [first] = before.starts
  if (!first) return before.cancelled ? [] : [`${about(job)} was attempted, and the one before it was not`]
  if (first.position > start.position) return [`${about(job)} was attempted before ${about(before)}`]
  const end = before.attempts.find(({ head }) => head.reason !== 'interrupted')
  const isOver = [end, before.cancelled].some((over) => over !== undefined && over.position < start.position)
  return isOver ? [] : [`${about(job)} began while the first attempt of ${about(before)} was under way`]
}
