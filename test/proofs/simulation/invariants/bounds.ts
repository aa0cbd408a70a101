import type { Run } from '../run.ts'
import { hasFailedSync, type Call, type WrittenEntry } from '../world/history.ts'
import { isTestPost } from '../world/receivers.ts'
import type { Invariant } from './invariant.ts'
import { isRepeatedStart } from './repeated-starts.ts'

/** Base64 of the 64 KiB that are kept of an answer, its headers, and the request that was sent. */
const MOST_BYTES = Math.ceil((64 * 1_024 * 4) / 3) + 32 * 1_024

export const bounded: Invariant = {
  id: 'I-bounded',
  about:
    'an attempt takes two entries of bounded length at most, and a registration has no more under way than it may',
  check(run) {
    const { model, history } = run
    const starts = model.jobs.flatMap(({ starts: each }) =>
      each
        .filter((start, index) => !isRepeatedStart(start, each[index - 1], history))
        .map(({ head }) => `${head.job_id}/${head.number}`),
    )
    const ends = model.jobs.flatMap(({ attempts }) =>
      attempts.map(({ head }) => `${head.job_id}/${head.number}`),
    )
    const doubled = [starts, ends].flatMap((names) =>
      names.filter((name, index) => names.indexOf(name) !== index),
    )
    const large = model.jobs.flatMap((job) =>
      job.attempts
        .filter(({ body }) => body.length > MOST_BYTES + job.body.length)
        .map(({ head }) => head.job_id),
    )
    return [
      ...doubled.map((name) => `attempt ${name} is on record twice`),
      ...large.map((id) => `an attempt of job "${id}" takes more than ${MOST_BYTES} bytes`),
      ...tooManyAtOnce(run),
    ]
  },
}

/** First attempts, and as many retries. */
function tooManyAtOnce({ history, setup }: Run): readonly string[] {
  const most = 2 * setup.concurrency
  const crashByIncarnation = new Map(history.crashes.map((crash) => [crash.incarnation, crash.tick]))
  const byReceiver = Map.groupBy(
    history.posts.filter((post) => !isTestPost(post)),
    ({ url }) => url.split('/').slice(0, 5).join('/'),
  )
  return [...byReceiver].flatMap(([receiver, posts]) => {
    const changes = posts
      .flatMap(({ tick, endTick, incarnation }) => [
        { tick, by: 1 },
        { tick: endTick ?? crashByIncarnation.get(incarnation) ?? Number.POSITIVE_INFINITY, by: -1 },
      ])
      .toSorted((a, b) => a.tick - b.tick)
    let atOnce = 0
    return changes.some(({ by }) => (atOnce += by) > most)
      ? [`more than ${most} POSTs to ${receiver} were under way at once`]
      : []
  })
}

/** What goes on by itself, whatever is called: deliveries, and while a call waits, payments too. */
const DELIVERIES: ReadonlySet<string> = new Set(['attempt-start', 'attempt', 'cancellation'])
const BACKGROUND: ReadonlySet<string> = new Set([
  'attempt-start',
  'attempt',
  'cancellation',
  'object',
  'job',
  'payment',
])

export const reject: Invariant = {
  id: 'I-reject',
  about: 'what is refused changes nothing on record, and nothing is answered with a failure of the sandbox',
  check(run) {
    const { model, history } = run
    return history.calls.flatMap((call) => {
      const { answer, method, path } = call
      if (!answer?.status || answer.status < 400) return []
      if (answer.status >= 500 && answer.status !== 507)
        return [`${method} ${path} was answered ${answer.status}`]
      const left = model.entries.filter(
        (entry) =>
          entry.tick > call.tick &&
          entry.tick < answer.tick &&
          !(isLong(call) ? BACKGROUND : DELIVERIES).has(entry.head.kind) &&
          !isOfResumedPayment(entry, call, run),
      )
      const isKeptAllTheSame = hasFailedSync(history, { from: call.tick, to: answer.tick })
      return left.length > 0 && !call.overlapped && !isKeptAllTheSame
        ? [`${method} ${path} was refused, and left ${left.map(({ head }) => head.kind).join(', ')}`]
        : []
    })
  },
}

/**
 * A payment that a restart interrupted goes on by itself. What it changes, and the jobs of that, are in one transaction with it. An
 * object with a value that the refused call asked for is not its change.
 */
function isOfResumedPayment(
  { head, body, tick }: WrittenEntry,
  call: Call,
  { model, history }: Run,
): boolean {
  const { entries, paid, participants } = model
  const isPart = (id: string) => paid.has(id) || participants.has(id)
  const isItsChange =
    head.kind === 'payment' ||
    (head.kind === 'object' &&
      isPart(head.id) &&
      !listValues(call.body).some((value) => body.includes(value))) ||
    (head.kind === 'job' && isPart(head.object_id))
  const idOf = ({ head: each }: WrittenEntry) => (each.kind === 'payment' ? each.payment.id : undefined)
  const id = entries
    .filter((entry) => entry.tick === tick)
    .map(idOf)
    .find((found) => found !== undefined)
  const begun = entries.find((entry) => id !== undefined && idOf(entry) === id)
  return (
    isItsChange &&
    begun !== undefined &&
    history.starts.some((start) => begun.tick < start.tick && start.tick < tick)
  )
}

const listValues = (asked: unknown) => Object.values(asked ?? {}).map((value) => JSON.stringify(value))

/** A call that waits for a receiver, while other things go on; or that moved the clock until the disk was full. */
function isLong({ path, method, answer }: Call): boolean {
  const isMoved = answer?.status === 507 && path.endsWith('/clock/advance')
  return isMoved || (method !== 'GET' && /^\/(webhooks|callbacks)|\/resend$|\/payments/.test(path))
}

export const inside: Invariant = {
  id: 'I-inside',
  about: 'the sandbox reports no failure inside',
  check: ({ history }) => history.errors,
}
