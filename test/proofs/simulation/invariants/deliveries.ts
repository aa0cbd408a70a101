import { type Job, registrationsAt, scheduledAttempts, statusAfter } from '../reference-model.ts'
import type { Run } from '../run.ts'
import { isAccepted, postsByKey, type RecordedAttempt, recordedByKey } from '../listings.ts'
import { type Call, isLostLater, type Post } from '../world/history.ts'
import { about, offsetsMs } from './attempts.ts'
import type { Invariant } from './invariant.ts'
import type { Registration } from '../../../../sandbox/engine/state/entries.ts'
import { OWN_PORTS } from '../world/incarnation.ts'
import { isTestPost } from '../world/platform.ts'

export const noLoss: Invariant = {
  id: 'I-noloss',
  about: 'at the end, every job is delivered, exhausted or cancelled',
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

const UNSENT: ReadonlySet<string | null> = new Set(['out_of_resources', 'dropped_by_fault'])

export const dupBound: Invariant = {
  id: 'I-dupbound',
  about:
    'a receiver gets one POST for each finished attempt, and extra POSTs only for attempts in flight at a crash',
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

/**
 * Counts the jobs that can have sent this body. If the reading `retry-body` is `current`, counts all jobs of the object, because
 * a retry sends the current object.
 */
function countSenders(recorded: readonly RecordedAttempt[], { setup, model }: Run): number {
  const objects = new Set(recorded.map(({ job }) => job.head.object_id))
  const senders =
    setup.readings['retry-body'] === 'current'
      ? model.jobs.filter(({ head }) => objects.has(head.object_id))
      : recorded.map(({ job }) => job)
  return new Set(senders).size
}

/** Returns the maximum number of POSTs that crashes can leave in flight, counting at most one per job. */
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
  const [first] = before.starts
  if (!first) return before.cancelled ? [] : [`${about(job)} was attempted, and the one before it was not`]
  if (first.position > start.position) return [`${about(job)} was attempted before ${about(before)}`]
  const end = before.attempts.find(({ head }) => head.reason !== 'interrupted')
  const isOver = [end, before.cancelled].some((over) => over !== undefined && over.position < start.position)
  return isOver ? [] : [`${about(job)} began while the first attempt of ${about(before)} was under way`]
}

const slot = ({ generation, object_type }: Pick<Registration, 'generation' | 'object_type'>) =>
  `${generation}/${object_type}`

export const oneEnabled: Invariant = {
  id: 'I-oneenabled',
  about:
    'for each generation and type, at most one registration is enabled, and only an enabled registration blocks another one',
  check(run) {
    const { model, history } = run
    const twice = model.registrations.flatMap(({ position }) =>
      doubles([...registrationsAt(model, position).values()].filter(({ enabled }) => enabled).map(slot)).map(
        (name) => `two registrations for ${name} are enabled behind entry ${position}`,
      ),
    )
    const listed = history.listings.flatMap(({ list, rows }) =>
      list === 'webhooks' || list === 'callbacks'
        ? doubles(rows.filter(({ enabled }) => enabled).map((row) => String(row.object_type))).map(
            (type) => `the list of ${list} shows two that are enabled for ${type}`,
          )
        : [],
    )
    return [...twice, ...listed, ...refusedWithoutReason(run)]
  },
}

function doubles(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}

function refusedWithoutReason({ model, history }: Run): readonly string[] {
  return history.calls.flatMap((call) => {
    const { answer, lengthBefore } = call
    const wanted = slotOf(call)
    const text = JSON.stringify(answer?.body ?? null)
    if (!answer || wanted === undefined || !/already (exists|enabled)|is already enabled/i.test(text))
      return []
    if (isLostLater(answer, history)) return []
    const positions = [lengthBefore, ...model.registrations.map(({ position }) => position)].filter(
      (position) => position >= lengthBefore && position <= answer.length,
    )
    const isTaken = positions.some((position) =>
      [...registrationsAt(model, position).values()].some((each) => each.enabled && slot(each) === wanted),
    )
    return isTaken
      ? []
      : [`${call.method} ${call.path} was refused as a second one for ${wanted}, and there was none`]
  })
}

function slotOf({ method, path, body }: Call): string | undefined {
  if (method !== 'POST' || !/^\/(webhooks|callbacks)$/.test(path)) return undefined
  const type: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'object_type') : undefined
  return `${path.slice(1)}/${String(type)}`
}

export const testPost: Invariant = {
  id: 'I-testpost',
  about: 'a URL is registered only after a successful test POST',
  check({ model, history }) {
    const tests = history.posts.filter(isTestPost)
    const wrong = tests.flatMap(({ body, url }) => {
      const parsed: unknown = JSON.parse(body)
      const isRight =
        JSON.stringify(Object.keys(Object(parsed))) === '["message"]' &&
        typeof Reflect.get(Object(parsed), 'message') === 'string'
      return isRight ? [] : [`the test POST to ${url} was ${body}`]
    })
    const used = new Map<string, number>()
    const untested = model.registrations.flatMap(({ after, before, tick }) => {
      if (!after || after.url === before?.url) return []
      const accepted = tests.filter(
        (post) => post.url === after.url && isAccepted(post) && (post.endTick ?? tick) < tick,
      )
      const number = (used.get(after.url) ?? 0) + 1
      used.set(after.url, number)
      return accepted.length >= number
        ? []
        : [`${after.url} was registered without a test POST that it accepted`]
    })
    const registeredUrls = new Set(model.registrations.flatMap(({ after }) => after?.url ?? []))
    const strays = history.posts.filter((post) => !isTestPost(post) && !registeredUrls.has(post.url))
    return [
      ...wrong,
      ...untested,
      ...strays.map(({ url }) => `${url} got a notification, and was never registered`),
    ]
  },
}

export const egress: Invariant = {
  id: 'I-egress',
  about: 'every POST uses HTTPS and an address that the policy allows, and never a port of the sandbox',
  check: ({ history }) =>
    history.posts.flatMap(({ url }) => {
      const { protocol, hostname, port } = new URL(url)
      const isAllowed = protocol === 'https:' && hostname === 'localhost' && !OWN_PORTS.includes(Number(port))
      return isAllowed ? [] : [`a POST went to ${url}`]
    }),
}
