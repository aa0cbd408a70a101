import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type {
  AttemptHead,
  AttemptStartHead,
  Head,
  JobHead,
} from '../../../../sandbox/engine/state/entries.ts'
import { createMemoryLog } from '../../../../sandbox/engine/state/log.ts'
import { createStore } from '../../../../sandbox/engine/state/store.ts'

const IDS = ['j0', 'j1', 'j2']

const job = (id: string): JobHead => ({
  kind: 'job',
  at: 10,
  id,
  generation: 'webhooks',
  registration_id: 'r1',
  object_type: 'items',
  object_id: 'o1',
  revision: 1,
  state: null,
  url: 'https://localhost',
})

const start = (job_id: string): AttemptStartHead => ({
  kind: 'attempt-start',
  at: 11,
  job_id,
  number: 1,
  url: 'https://localhost',
  due_at: 10,
  started_at: 11,
})

const attempt = (
  job_id: string,
  end: Pick<AttemptHead, 'status' | 'reason' | 'next_due_at'> & { readonly manual?: true },
): AttemptHead => ({
  ...start(job_id),
  kind: 'attempt',
  recorded_at: 12,
  message: '',
  flags: [],
  timings: { connectedMs: null, answeredMs: null, totalMs: 1 },
  ...end,
})

const happenings: readonly ((id: string) => Head)[] = [
  start,
  (id) => attempt(id, { status: 500, reason: 'http_500', next_due_at: 99 }),
  (id) => attempt(id, { status: 500, reason: 'http_500', next_due_at: 99, manual: true }),
  (id) => attempt(id, { status: null, reason: 'interrupted', next_due_at: 10 }),
  (id) => attempt(id, { status: 204, reason: null, next_due_at: null }),
  (job_id) => ({ kind: 'cancellation', at: 12, job_id }),
]

test('a job is given as it stands, however often it was asked for before', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...IDS), fc.constantFrom(...happenings)), { maxLength: 12 })
  fc.assert(
    fc.property(steps, (all) => {
      const asked = createStore(createMemoryLog(), queueMicrotask)
      const entries = [...IDS.map(job), ...all.map(([id, happening]) => happening(id))].map((head) => ({
        head,
        body: '{}',
      }))
      for (const entry of entries) {
        void asked.commit([entry])
        for (const id of IDS) asked.job(id)
      }
      const fresh = createStore(createMemoryLog(), queueMicrotask)
      void fresh.commit(entries)

      expect(IDS.map(asked.job)).toEqual(IDS.map(fresh.job))
    }),
  )
})
