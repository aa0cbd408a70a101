import { attemptsAt, scheduledAttempts, statusAfter, type Job } from '../reference-model.ts'
import type { Run } from '../run.ts'
import { lastingListings, type Listing } from '../world/history.ts'
import type { Invariant } from './invariant.ts'

/** The ids of the jobs that a list must have: those of a registration, or all. */
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
  about:
    'the pages of a list have every job that belongs there once, in order; `failed` has those that failed',
  check: (run) => [
    ...lastingLists(run, ['failed-jobs', 'jobs', 'control-failed']).flatMap((listing) =>
      compare(run, listing),
    ),
    // Pages that go on behind a job, and not at a number, never show one twice, whatever changes meanwhile.
    ...run.history.listings.flatMap((listing) => {
      const ids = listing.list === 'control-failed' ? idsOf(listing) : []
      return new Set(ids).size === ids.length ? [] : [`${nameOf(listing)} shows a job twice`]
    }),
  ],
}

export const lag: Invariant = {
  id: 'I-lag',
  about:
    '`request_response` is the beginning of the attempts that were made, and lags by no more than was chosen',
  check(run) {
    const jobById = new Map(run.model.jobs.map((job) => [job.head.id, job]))
    const lagMs = LAGS[run.setup.readings['job-recording-lag'] ?? '200ms'] ?? 0
    return lastingLists(run, ['job', 'jobs', 'failed-jobs']).flatMap((listing) =>
      listing.rows.flatMap((row) => lagProblem(row, { job: jobById.get(row.uuid), listing, lagMs })),
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
    // oxlint-disable-next-line typescript/no-explicit-any -- as above
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
    'a callback has one response for each trigger, with what came of its last attempt, and is retried only where that was chosen',
  check(run) {
    const jobById = new Map(run.model.jobs.map((job) => [job.head.id, job]))
    const lists = lastingLists(run, ['callback-responses'])
    const codes = lists.flatMap(({ rows, length }) =>
      rows.flatMap((row) => {
        const job = jobById.get(row.id)
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
