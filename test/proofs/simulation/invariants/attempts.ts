import { attemptsAt, type Job, registrationsAt, scheduledAttempts, statusAfter } from '../reference-model.ts'
import type { Run } from '../run.ts'
import { postsByKey, recordedByKey } from '../listings.ts'
import { hasFailedSync, type History, lastingListings } from '../world/history.ts'
import type { Invariant } from './invariant.ts'

/** The minutes from the end of the first attempt to each retry, according to the service's document. Source: §8 */
const RETRY_MINUTES = [5, 25, 105, 425, 1_705]

const LATEST_IN_WINDOW = 1_440

export function offsetsMs({ head }: Job, { setup }: Pick<Run, 'setup'>): readonly number[] {
  const { readings } = setup
  const isRetried = head.generation === 'webhooks' || readings['callback-retry'] === 'as-webhooks'
  if (!isRetried) return []
  const isWhole = readings['retry-window'] === 'five-attempts'
  return RETRY_MINUTES.filter((minutes) => isWhole || minutes <= LATEST_IN_WINDOW).map(
    (minutes) => minutes * 60_000,
  )
}

export const about = ({ head }: Job) => `job "${head.id}" of ${head.object_type} "${head.object_id}"`

function eachJob(check: (job: Job, run: Run) => readonly (string | false)[]): Invariant['check'] {
  return (run) =>
    run.model.jobs.flatMap((job) =>
      check(job, run).flatMap((problem) => (problem === false ? [] : [`${about(job)}: ${problem}`])),
    )
}

export const schedule: Invariant = {
  id: 'I-schedule',
  about: 'each attempt is due at the scheduled time, and never starts early',
  check: eachJob((job, run) => {
    const scheduled = scheduledAttempts(job)
    const origin = job.attempts.find(({ head }) => head.reason !== 'interrupted')?.head.at ?? 0
    const offsets = offsetsMs(job, run)
    return [
      ...scheduled.flatMap(({ due_at, started_at, number }, place) => {
        const expected = place === 0 ? job.head.at : origin + (offsets[place - 1] ?? Number.NaN)
        return [
          due_at !== expected && `attempt ${number} was due at ${iso(due_at)}, not at ${iso(expected)}`,
          started_at !== due_at &&
            !isPassedByChanges(due_at, started_at, run) &&
            !isOvertaken(job, started_at, run) &&
            `attempt ${number} started at ${iso(started_at)}, not when due at ${iso(due_at)}`,
        ]
      }),
      ...job.starts.map(
        ({ head }) => head.started_at < head.due_at && `attempt ${head.number} began before it was due`,
      ),
    ]
  }),
}

const UNCHANGED: ReadonlySet<string> = new Set([
  'attempt-start',
  'attempt',
  'cancellation',
  'clock',
  'fault-use',
])

/** Returns true if only changes moved the clock from `from` to `to`. Each change moves the clock by a millisecond. */
function isPassedByChanges(from: number, to: number, { model }: Run): boolean {
  const passed = model.entries.flatMap(({ head: { kind, at } }) =>
    from < at && at <= to && !UNCHANGED.has(kind) ? [at] : [],
  )
  return new Set(passed).size === to - from
}

/** Returns true if a job may be late. An advance does not wait for jobs added while it runs, and a full disk delays attempts. */
function isOvertaken({ tick }: Job, startedAt: number, run: Run): boolean {
  const { history } = run
  const isReached = (now: number) => startedAt <= now || isPassedByChanges(now, startedAt, run)
  if (history.badDisks.length > 0) return true
  return history.calls.some(
    ({ path, overlapped, answer, tick: from }) =>
      path === '/control/clock/advance' &&
      overlapped &&
      from < tick &&
      tick < (answer?.tick ?? Number.POSITIVE_INFINITY) &&
      isReached(answer?.now ?? Number.POSITIVE_INFINITY),
  )
}

const iso = (time: number) => (Number.isNaN(time) ? 'no time' : new Date(time).toISOString())

export const stop: Invariant = {
  id: 'I-stop',
  about:
    'no attempt follows a success, the last scheduled retry, the retry window, or the end of its registration',
  check: eachJob((job, run) => {
    const { attempts } = job
    const success = attempts.findIndex(({ head }) => statusAfter([head]) === 'success')
    const scheduled = scheduledAttempts(job)
    return [
      success !== -1 && success !== attempts.length - 1 && 'attempts follow its success',
      scheduled.length > 1 + offsetsMs(job, run).length &&
        `${scheduled.length} attempts are more than the schedule has`,
      ...job.starts.map((start) => {
        if (run.setup.readings['pending-retries'] === 'frozen-url')
          return (
            start.head.url !== job.head.url &&
            `attempt ${start.head.number} went elsewhere than to the URL of its trigger`
          )
        const registration = registrationsAt(run.model, start.position).get(job.head.registration_id)
        return (
          !(registration?.enabled === true && registration.url === start.head.url) &&
          `attempt ${start.head.number} went to ${start.head.url}, where nothing is registered`
        )
      }),
      isCalledOffWrongly(job, run) &&
        'it was called off before it was due, or while its registration was enabled',
    ]
  }),
}

function isCalledOffWrongly({ cancelled, head, attempts }: Job, { model, setup }: Run): boolean {
  if (!cancelled) return false
  if (cancelled.head.at < (attempts.at(-1)?.head.next_due_at ?? head.at)) return true
  if (setup.readings['pending-retries'] === 'frozen-url') return true
  return registrationsAt(model, cancelled.position).get(head.registration_id)?.enabled === true
}

export const status: Invariant = {
  id: 'I-status',
  about:
    'a job has the status `failed` only if its attempts have ended and none of them succeeded, and a success is final',
  check(run) {
    const listed = lastingListings(run.history).flatMap(({ list, rows, length }) =>
      list === 'jobs' || list === 'job' || list === 'failed-jobs'
        ? rows.map((row) => ({ id: String(row.uuid), status: String(row.status), length }))
        : [],
    )
    const atEnd = run.jobs.map(({ id, status: shown }) => ({
      id,
      status: shown,
      length: run.model.entries.length,
    }))
    return [...listed, ...atEnd].flatMap(({ id, status: shown, length }) => {
      const job = run.model.jobById.get(id)
      const expected = job && statusAfter(attemptsAt(job, length))
      return shown === expected
        ? []
        : [`job "${id}" is shown as ${shown}; its attempts make it ${String(expected)}`]
    })
  },
}

export const count: Invariant = {
  id: 'I-count',
  about: 'attempts have consecutive numbers, and an attempt that was cut off is recorded as interrupted',
  check: (run) => [
    ...eachJob((job) => {
      const numbers = job.attempts.map(({ head }) => head.number)
      const ends = new Set(numbers)
      return [
        numbers.some((number, index) => number !== index + 1) &&
          `its attempts are numbered ${String(numbers)}`,
        ...job.starts.map((start, index) => {
          const { head, position } = start
          const before = job.starts[index - 1]
          if (!ends.has(head.number)) return `attempt ${head.number} began, and nothing says how it ended`
          if (!before || isRepeatedStart(start, before, run.history)) return false
          const hasEnded = job.attempts.some(
            (end) => end.head.number === before.head.number && end.position < position,
          )
          return !hasEnded && `attempt ${head.number} began while another one was under way`
        }),
      ]
    })(run),
    ...tooManyAttempts(run),
    ...unrecordedCuts(run),
  ],
}

function tooManyAttempts({ model, history }: Run): readonly string[] {
  const crashes = history.crashes.filter(({ kind }) => kind !== 'closed').length
  return model.jobs.flatMap((job) => {
    const interrupted = job.attempts.filter(({ head }) => head.reason === 'interrupted').length
    return interrupted > crashes
      ? [`${about(job)}: ${interrupted} attempts were cut off by ${crashes} crashes`]
      : []
  })
}

function unrecordedCuts(run: Run): readonly string[] {
  const { crashes } = run.history
  // A power loss also removes unsynced entries of earlier processes.
  const lastLoss = crashes.findLast(({ kind }) => kind === 'power-lost')?.tick ?? 0
  const killed = new Set(
    crashes
      .filter(({ kind, tick }) => kind === 'killed' && tick > lastLoss)
      .map(({ incarnation }) => incarnation),
  )
  const recorded = recordedByKey(run)
  return [...postsByKey(run)].flatMap(([key, posts]) => {
    const cut = posts.filter(({ outcome, incarnation }) => outcome === undefined && killed.has(incarnation))
    const interrupted = (recorded.get(key) ?? []).filter(({ head }) => head.reason === 'interrupted')
    return cut.length > interrupted.length
      ? [`${cut.length} POSTs to ${cut[0]?.url} were cut off, and ${interrupted.length} are on record`]
      : []
  })
}

export const clock: Invariant = {
  id: 'I-clock',
  about:
    'the clock and all recorded times never go back, even after restarts, advances and changes of the wall clock',
  check({ model, history, endedAt }) {
    const backwards = model.entries.flatMap(({ head, position }, index) => {
      const before = model.entries[index - 1]?.head.at ?? 0
      return head.at < before ? [`entry ${position} is from before the one ahead of it`] : []
    })
    const starts = history.starts.flatMap(({ now, tick, incarnation }) => {
      const recorded = model.entries.findLast((entry) => entry.tick < tick)?.head.at ?? now
      const told = history.calls.flatMap(({ answer, path }) =>
        answer && answer.tick < tick && path === '/control/clock/advance' && answer.status === 200
          ? Date.parse(answer.body.now)
          : [],
      )
      return now < Math.max(recorded, ...told)
        ? [`start ${incarnation} went back to ${new Date(now).toISOString()}`]
        : []
    })
    const answers = history.calls.flatMap(({ answer }) => (answer ? [answer] : []))
    const ahead = answers.some(({ now }) => now > endedAt)
    const advances = history.calls.flatMap(({ path, body, answer, overlapped }) => {
      if (path !== '/control/clock/advance' || answer?.status !== 200 || overlapped) return []
      const { to } = Object(body)
      return to === undefined || to === answer.body.now
        ? []
        : [`an advance to ${to} ended at ${answer.body.now}`]
    })
    return [...backwards, ...starts, ...advances, ...(ahead ? ['the clock showed more than at the end'] : [])]
  },
}

type Start = Job['starts'][number]

/** Returns true if the disk could not record the earlier start, so nothing was sent. */
export function isRepeatedStart(start: Start, before: Start | undefined, history: History): boolean {
  return (
    before !== undefined &&
    before.head.number === start.head.number &&
    hasFailedSync(history, { from: before.tick, to: start.tick })
  )
}
