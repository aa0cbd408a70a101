import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AttemptHead, Entry, JobHead } from '../../../../sandbox/engine/state/entries.ts'
import { BLOCK_SIZE } from '../../../../sandbox/engine/state/queries/job-counts.ts'
import type { JobPageFilter } from '../../../../sandbox/engine/state/queries/job-pages.ts'
import type { Store } from '../../../../sandbox/engine/state/store.ts'
import { openMemoryStore } from '../../../support/stores.ts'

const TYPES = ['items', 'users', 'accounts', 'bank_accounts'] as const

interface Made {
  readonly registration: string
  readonly type: (typeof TYPES)[number]
  readonly object: string
  /** Undefined for one that was not attempted. */
  readonly status: number | undefined
}

const made: fc.Arbitrary<Made> = fc.record({
  registration: fc.constantFrom('r1', 'r2', 'c1'),
  type: fc.constantFrom(...TYPES),
  object: fc.constantFrom('o1', 'o2', 'alias', 'a1'),
  status: fc.constantFrom(undefined, 200, 500),
})

const filters: fc.Arbitrary<JobPageFilter> = fc.record({
  registration_id: fc.constantFrom(undefined, 'r1', 'c1', 'none'),
  status: fc.constantFrom(undefined, 'pending', 'success', 'failed'),
  generation: fc.constantFrom(undefined, 'webhooks', 'callbacks'),
  object_type: fc.constantFrom(undefined, ...TYPES, 'companies'),
  object_id: fc.constantFrom(undefined, undefined, 'o1', 'alias', 'a1', 'none'),
})

/** An account is asked for by `alias`, too. */
const account: Entry = {
  head: { kind: 'object', at: 1, object_type: 'accounts', id: 'a1', aliases: ['alias'], revision: 1 },
  body: '{}',
}

function storeOf(jobs: readonly Made[]) {
  const store = openMemoryStore()
  void store.commit([account])
  jobs.forEach((job, index) => void store.commit(toEntries(job, `j${index}`)))
  return store
}

function toEntries({ registration, type, object, status }: Made, id: string): Entry[] {
  const head: JobHead = {
    kind: 'job',
    at: 10,
    id,
    generation: registration === 'c1' ? 'callbacks' : 'webhooks',
    registration_id: registration,
    object_type: type,
    object_id: object,
    revision: 1,
    state: null,
    url: 'https://localhost',
  }
  const job = { head, body: '{}' }
  return status === undefined ? [job] : [job, { head: toAttempt(id, status), body: '{}' }]
}

function toAttempt(job_id: string, status: number): AttemptHead {
  return {
    kind: 'attempt',
    at: 20,
    job_id,
    number: 1,
    url: 'https://localhost',
    due_at: 10,
    started_at: 11,
    recorded_at: 5,
    status,
    reason: status === 200 ? null : 'http_500',
    message: '',
    next_due_at: status === 200 ? null : 300,
    flags: [],
    timings: { connectedMs: 1, answeredMs: 2, totalMs: 3 },
  }
}

const LIMIT = 3

/** Compares pages with a walk through all jobs. */
function expectPages(store: Store, filter: JobPageFilter, from: number): void {
  const { object_id, ...rest } = filter
  const agreeing = store
    .jobs()
    .filter(
      (job) =>
        Object.entries(rest).every(
          ([field, value]) => value === undefined || Reflect.get(job, field) === value,
        ) &&
        (object_id === undefined ||
          job.object_id === object_id ||
          (object_id === 'alias' && job.object_type === 'accounts' && job.object_id === 'a1')),
    )
  const total = agreeing.length
  const pageFrom = (before: number) => ({
    jobs: agreeing.slice(before, before + LIMIT),
    total,
    before,
    next: agreeing[before + LIMIT]?.ordinal,
  })

  expect(store.jobPage(filter, { limit: LIMIT, offset: from })).toEqual(pageFrom(from))
  expect(store.jobPage(filter, { limit: LIMIT })).toEqual(pageFrom(Math.max(0, total - LIMIT)))
  expect(store.jobPage(filter, { limit: LIMIT, ordinal: from })).toEqual(
    pageFrom(agreeing.filter(({ ordinal }) => ordinal < from).length),
  )
}

test('a page equals the result of a walk through all jobs under any filter', () => {
  fc.assert(
    fc.property(
      fc.array(made, { maxLength: 60, size: 'max' }),
      filters,
      fc.nat({ max: 70 }),
      (jobs, filter, from) => expectPages(storeOf(jobs), filter, from),
    ),
  )
})

/** The middle block has one kind of jobs, the others have two. */
const BLOCKS: readonly Made[] = Array.from({ length: 3 * BLOCK_SIZE }, (_, ordinal) => {
  const isOther = ordinal % 7 === 0 && Math.floor(ordinal / BLOCK_SIZE) !== 1
  return { registration: isOther ? 'r2' : 'r1', type: 'items', object: 'o1', status: isOther ? 500 : 200 }
})

test.each<JobPageFilter>([{}, { registration_id: 'r1' }, { status: 'failed' }, { status: 'pending' }])(
  'pages over several blocks equal the result of a walk: %j',
  (filter) => {
    const store = storeOf(BLOCKS)
    const edges = [0, 1, 2, 3].flatMap((block) => [-2, -1, 0, 1].map((gap) => block * BLOCK_SIZE + gap))
    for (const from of [36, 37, 72, 219, 220, ...edges].filter((each) => each >= 0))
      expectPages(store, filter, from)
  },
)

test('a record is the job as it stood when it was asked for', async () => {
  const store = storeOf([{ registration: 'r1', type: 'items', object: 'o1', status: undefined }])
  const before = store.job('j0')

  await store.commit([{ head: toAttempt('j0', 500), body: '{}' }])

  expect([before?.status, before?.attempts, store.job('j0')?.status, store.job('j0')?.attempts]).toEqual([
    'pending',
    0,
    'failed',
    1,
  ])
})

test('a job by its ordinal is none behind the last one', () => {
  const store = storeOf([{ registration: 'r1', type: 'items', object: 'o1', status: 200 }])

  expect([store.jobAt(0)?.id, store.jobAt(1), [...store.dueJobs()]]).toEqual(['j0', undefined, []])
})
