import type {
  Attempt,
  CraftedDelivery,
  ExchangeDetail,
  Fault,
  JobSummary,
  Payment,
  RegistrationRecord,
} from '../../spec/generated/control-types.ts'
import type { WorldPause, WorldRecord } from '../../sandbox/engine/state/world-record.ts'
import type { attemptLine } from '../../sandbox/cli/up-lines.ts'

const AT = '2026-01-01T00:00:00.000Z'

const TIMINGS = { connected_ms: 1, answered_ms: 12, total_ms: 12 }

export function exchange(fields: Partial<ExchangeDetail> = {}): ExchangeDetail {
  const answer = { status: 204, reason: null, message: 'Answered 204', response: null }
  return { ...answer, flags: [], timings: TIMINGS, ...fields }
}

export function crafted(fields: Partial<CraftedDelivery> = {}): CraftedDelivery {
  return {
    id: 'd1',
    crafted: true,
    at: AT,
    url: 'https://localhost:9443/',
    registration_id: null,
    request: { headers: [], body: '{}', body_base64: 'e30=' },
    exchanges: [exchange()],
    ...fields,
  }
}

export function job(fields: Partial<JobSummary> = {}): JobSummary {
  return {
    id: 'j1',
    generation: 'webhooks',
    registration_id: 'r1',
    object_type: 'items',
    object_id: 'i1',
    state: 'completed',
    status: 'success',
    attempts: 1,
    created_at: AT,
    next_due_at: null,
    url: 'https://localhost:9443/',
    last: '204',
    payment_id: null,
    window_ends_at: null,
    ...fields,
  }
}

export function attempt(fields: Partial<Attempt> = {}): Attempt {
  return {
    ...exchange(),
    number: 1,
    url: 'https://localhost:9443/',
    due_at: AT,
    started_at: AT,
    ended_at: AT,
    next_due_at: null,
    manual: false,
    faults: [],
    others: [],
    request: { headers: [], body: '{}' },
    ...fields,
  }
}

export function fault(fields: Partial<Fault> = {}): Fault {
  return {
    id: 'f1',
    on: 'delivery',
    kind: 'duplicate',
    match: {},
    times: 1,
    skip: 0,
    probability: 1,
    seed: 0,
    settings: {},
    matched: 0,
    applied: 0,
    created_at: AT,
    ...fields,
  }
}

export function registration(fields: Partial<RegistrationRecord> = {}): RegistrationRecord {
  return {
    generation: 'webhooks',
    id: 'r1',
    object_type: 'items',
    url: 'https://localhost:9443/',
    enabled: true,
    created_at: AT,
    ...fields,
  }
}

export function payment(fields: Partial<Payment> = {}): Payment {
  return {
    id: 'p1',
    kind: 'card-payin',
    outcome: 'completed',
    amount: 1200,
    currency: 'AUD',
    pace: 'stepwise',
    step: 1,
    steps: 2,
    next_due_at: null,
    moves: [],
    objects: [],
    ...fields,
  }
}

export function worldRecord(name: string, fields: Partial<WorldRecord> = {}): WorldRecord {
  return {
    id: `id-of-${name}`,
    name,
    credentials: {
      client_id: `client-${name}`,
      client_secret: `secret-${name}`,
      email: `${name}@example.test`,
      api_token: `token-${name}`,
    },
    controlToken: `control-${name}`,
    createdAt: Date.parse('2026-01-01T00:00:00.000Z'),
    expiresAt: null,
    ...fields,
  }
}

export function worldPause(fields: Partial<WorldPause> = {}): WorldPause {
  const at = Date.parse('2026-01-01T00:00:00.000Z')
  return {
    wakeAt: null,
    clock: { at, speed: 1 },
    realAt: at,
    chance: null,
    requests: [],
    requestsSince: null,
    ...fields,
  }
}

export const NOW = Date.parse('2026-01-01T00:00:00.000Z')

export const JOB: Parameters<typeof attemptLine>[0] = {
  id: 'a1',
  generation: 'webhooks',
  registration_id: 'r1',
  object_type: 'items',
  object_id: '3f2b7c9d0e1f',
  state: null,
  revision: 1,
  url: 'https://localhost:9443/',
  ordinal: 0,
  turn: 0,
  position: 0,
  created_at: NOW,
  updated_at: NOW,
  status: 'pending',
  scheduled: 1,
  attempts: 2,
  attempt_positions: '5,8',
  last: '503',
  first_ended_at: NOW,
  next_due_at: NOW + 20 * 60_000,
  matched_faults: null,
}

export const ATTEMPT: Parameters<typeof attemptLine>[1] = {
  kind: 'attempt',
  at: NOW,
  job_id: 'a1',
  number: 2,
  url: JOB.url,
  due_at: NOW,
  started_at: NOW,
  recorded_at: NOW,
  status: 503,
  reason: 'http_503',
  message: 'Answered 503',
  next_due_at: JOB.next_due_at,
  flags: [],
  timings: { connectedMs: 1, answeredMs: 4, totalMs: 4 },
}
