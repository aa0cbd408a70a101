import type { Entry } from '../../sandbox/engine/state/entries.ts'

const registration = (id: string, enabled: boolean) =>
  ({
    id,
    generation: 'webhooks',
    object_type: 'items',
    url: `https://localhost:9443/${id}`,
    enabled,
    description: null,
    created_at: 1,
    updated_at: 1,
  }) as const

function object(object_type: 'items' | 'users' | 'accounts', id: string, revision = 1): Entry {
  const body = JSON.stringify({ id, description: `Revision ${revision} `.repeat(30) })
  return { head: { kind: 'object', at: revision, object_type, id, revision }, body }
}

function job(id: string, ordinal: number): Entry {
  const head = {
    kind: 'job',
    at: 10 + ordinal,
    id,
    generation: 'webhooks',
    registration_id: 'r1',
    object_type: 'items',
    object_id: 'i1',
    revision: 1,
    state: 'pending',
    url: registration('r1', true).url,
  } as const
  return { head, body: `{"job":"${id}"}` }
}

function attemptStart(job_id: string): Entry {
  const { url } = registration('r1', true)
  const head = { kind: 'attempt-start', at: 20, job_id, number: 1, url, due_at: 10, started_at: 20 } as const
  return { head, body: '{}' }
}

function attempt(job_id: string, reason: 'http_503' | null): Entry {
  const head = {
    kind: 'attempt',
    at: 30,
    job_id,
    number: 1,
    url: registration('r1', true).url,
    due_at: 10,
    started_at: 20,
    recorded_at: 30,
    status: reason === null ? 200 : 503,
    reason,
    message: 'Answered',
    next_due_at: reason === null ? null : 300_000,
    flags: [],
    timings: { connectedMs: 1, answeredMs: 2, totalMs: 3 },
  } as const
  return { head, body: JSON.stringify({ request_headers: [], request_body: '{}', response: null }) }
}

function payment(id: string): Entry {
  const participants = { seller: 'u1', wallet_account: 'a1' }
  const head = {
    kind: 'payment',
    at: 40,
    payment: {
      id,
      kind: 'bpay-payin',
      outcome: 'successful',
      amount: 1_200,
      currency: 'AUD',
      pace: 'stepwise',
      participants,
      objects: {},
      moves: [],
      step: 0,
      steps: 3,
      created_at: 40,
      next_due_at: 50,
    },
  } as const
  return { head, body: '' }
}

const fault = {
  id: 'f1',
  on: 'delivery',
  kind: 'drop',
  match: {},
  times: null,
  skip: 0,
  probability: 1,
  seed: 1,
  settings: {},
} as const

export const ENTRIES_OF_EACH_TABLE: readonly Entry[] = [
  object('items', 'i1'),
  object('items', 'i1', 2),
  {
    head: { kind: 'object', at: 3, object_type: 'users', id: 'u1', revision: 1, aliases: ['u1-alias'] },
    body: '{"id":"u1"}',
  },
  {
    head: {
      kind: 'object',
      at: 3,
      object_type: 'accounts',
      id: 'a1',
      revision: 1,
      owner: { user_id: 'u1', account_kind: 'wallet' },
    },
    body: '{"id":"a1"}',
  },
  { head: { kind: 'registration', at: 4, registration: registration('r1', true) }, body: '' },
  { head: { kind: 'registration', at: 4, registration: registration('r2', false) }, body: '' },
  { head: { kind: 'registration', at: 4, registration: registration('r3', false) }, body: '' },
  { head: { kind: 'deletion', at: 5, registration_id: 'r3' }, body: '' },
  job('j1', 0),
  job('j2', 1),
  job('j3', 2),
  attemptStart('j1'),
  attempt('j1', null),
  attempt('j2', 'http_503'),
  { head: { kind: 'cancellation', at: 31, job_id: 'j2' }, body: '' },
  { head: { kind: 'clock', at: 32, speed: 300 }, body: '' },
  payment('p1'),
  payment('p2'),
  { head: { kind: 'next-outcome', at: 41, payment_kind: 'bpay-payin', outcome: 'successful' }, body: '' },
  { head: { kind: 'secret', at: 42, set_at: 42 }, body: 'a-secret-of-the-test' },
  { head: { kind: 'readings', at: 43, chosen: { 'retry-window': 'five-attempts' } }, body: '' },
  { head: { kind: 'fault', at: 44, fault }, body: '' },
  { head: { kind: 'fault-use', at: 45, fault_id: 'f1', job_id: 'j3', attempt: 1, applied: true }, body: '' },
  { head: { kind: 'crafted', at: 46, id: 'c1' }, body: '{"id":"c1"}' },
  attemptStart('j3'),
]
