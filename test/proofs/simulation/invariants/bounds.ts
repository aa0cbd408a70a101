import type { Run } from '../run.ts'
import {
  type Call,
  hasFailedSync,
  lastingListings,
  type Listing,
  type WrittenEntry,
} from '../world/history.ts'
import { isTestPost } from '../world/platform.ts'
import type { Invariant } from './invariant.ts'
import { isRepeatedStart } from './attempts.ts'
import { attemptsAt, type Job, scheduledAttempts, statusAfter } from '../reference-model.ts'

const MAX_BYTES = Math.ceil((64 * 1_024 * 4) / 3) + 32 * 1_024

export const bounded: Invariant = {
  id: 'I-bounded',
  about:
    'an attempt has at most two entries of bounded length, and no registration exceeds its limit of attempts in flight',
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
        .filter(({ body }) => body.length > MAX_BYTES + job.body.length)
        .map(({ head }) => head.job_id),
    )
    return [
      ...doubled.map((name) => `attempt ${name} is on record twice`),
      ...large.map((id) => `an attempt of job "${id}" takes more than ${MAX_BYTES} bytes`),
      ...tooManyAtOnce(run),
    ]
  },
}

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

/** The kinds of entries that deliveries write. No call writes entries of these kinds. */
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
  about: 'a rejected call changes no record, and no call gets an internal error',
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
 * Returns true for an entry of a payment that continues after a restart. A resumed payment can write entries while a full disk
 * rejects a call. Each payment step writes its entries in one transaction, so entries of the rejected call are still detected.
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

/** Returns true if a call can be slow, either because of a receiver or because an advance of the clock filled the disk. */
function isLong({ path, method, answer }: Call): boolean {
  const isMoved = answer?.status === 507 && path.endsWith('/clock/advance')
  return isMoved || (method !== 'GET' && /^\/(webhooks|callbacks)|\/resend$|\/payments/.test(path))
}

export const inside: Invariant = {
  id: 'I-inside',
  about: 'the sandbox reports no internal error',
  check: ({ history }) => history.errors,
}

function expectedIds({ model }: Run, { length, of, list }: Listing): readonly string[] {
  return model.jobs
    .filter((job) => job.position <= length && (of === '' || job.head.registration_id === of))
    .filter((job) => !list.includes('failed') || statusAfter(attemptsAt(job, length)) === 'failed')
    .map(({ head }) => head.id)
}

const lastingLists = (run: Run, names: readonly Listing['list'][]) =>
  lastingListings(run.history).filter(({ list }) => names.includes(list))

function compare(run: Run, listing: Listing): readonly string[] {
  const shown = idsOf(listing)
  const expected = expectedIds(run, listing)
  return String(shown) === String(expected)
    ? []
    : [`${nameOf(listing)} shows ${shown.length} jobs that are not the ${expected.length} that there are`]
}

const idsOf = ({ rows }: Listing) => rows.map((row) => String(row.uuid ?? row.id))

const nameOf = ({ list, of }: Listing) =>
  `the list of ${list} of ${of === '' ? 'all registrations' : `registration "${of}"`}`

export const filter: Invariant = {
  id: 'I-filter',
  about: 'the pages of a list contain every matching job exactly once, in order',
  check: (run) => [
    ...lastingLists(run, ['failed-jobs', 'jobs', 'control-failed']).flatMap((listing) =>
      compare(run, listing),
    ),
    // Cursor pages never list a job twice, even if rows change between pages.
    ...run.history.listings.flatMap((listing) => {
      const ids = listing.list === 'control-failed' ? idsOf(listing) : []
      return new Set(ids).size === ids.length ? [] : [`${nameOf(listing)} shows a job twice`]
    }),
  ],
}

export const lag: Invariant = {
  id: 'I-lag',
  about:
    '`request_response` lists all attempts in order, and omits only attempts that are newer than the chosen lag',
  check(run) {
    const lagMs = LAGS[run.setup.readings['job-recording-lag'] ?? '200ms'] ?? 0
    return lastingLists(run, ['job', 'jobs', 'failed-jobs']).flatMap((listing) =>
      listing.rows.flatMap((row) =>
        lagProblem(row, { job: run.model.jobById.get(row.uuid), listing, lagMs }),
      ),
    )
  },
}

const LAGS: Readonly<Record<string, number>> = { '200ms': 200, '0ms': 0, '10m': 600_000 }

function lagProblem(
  // oxlint-disable-next-line typescript/no-explicit-any -- a row of the service's list
  row: any,
  {
    job,
    listing,
    lagMs,
  }: { readonly job: Job | undefined; readonly listing: Listing; readonly lagMs: number },
): readonly string[] {
  if (!job) return [`job "${row.uuid}" is listed, and is not on record`]
  const attempts = attemptsAt(job, listing.length)
  const shown = row.request_response.map(
    // oxlint-disable-next-line typescript/no-explicit-any -- an entry in a row of the service's list
    ({ response_code, created_at }: any) => `${response_code} at ${Date.parse(created_at)}`,
  )
  const made = attempts.map(({ status, at }) => `${status} at ${at}`)
  const due = attempts.filter(({ at }) => listing.now - at >= lagMs).length
  const isPrefix = String(shown) === String(made.slice(0, shown.length))
  if (isPrefix && shown.length >= due) return []
  return [`job "${row.uuid}" shows ${shown.length} attempts [${String(shown)}]; [${String(made)}] were made`]
}

export const callback: Invariant = {
  id: 'I-callback',
  about:
    'a callback has one response with the last result for each trigger, and retries only if a reading allows them',
  check(run) {
    const lists = lastingLists(run, ['callback-responses'])
    const codes = lists.flatMap(({ rows, length }) =>
      rows.flatMap((row) => {
        const job = run.model.jobById.get(row.id)
        const last = job && attemptsAt(job, length).at(-1)
        if (row.response_code === (last?.status ?? null)) return []
        return [
          `response "${row.id}" shows ${row.response_code}; its last attempt was answered ${String(last?.status)}`,
        ]
      }),
    )
    const retried =
      run.setup.readings['callback-retry'] === 'none'
        ? run.model.jobs.filter(
            (job) => job.head.generation === 'callbacks' && scheduledAttempts(job).length > 1,
          )
        : []
    return [
      ...lists.flatMap((listing) => compare(run, listing)),
      ...codes,
      ...retried.map(({ head }) => `callback "${head.id}" was retried`),
    ]
  },
}

export const tables: Invariant = {
  id: 'I-tables',
  about: 'at the end, every row of the store can be derived from the history',
  check: ({ storeProblems }) => storeProblems,
}
