import type {
  Attempt,
  CraftedDelivery,
  ExchangeDetail,
  Fault,
  JobSummary,
  Payment,
  RegistrationRecord,
  RequestRecord,
} from '../../spec/generated/control-types.ts'

const AT = '2026-01-01T00:00:00.000Z'
const TIMINGS = { connected_ms: 1, answered_ms: 12, total_ms: 12 }

/** An answer of 204. */
export function exchange(fields: Partial<ExchangeDetail> = {}): ExchangeDetail {
  const answer = { status: 204, reason: null, message: 'Answered 204', response: null }
  return { ...answer, flags: [], timings: TIMINGS, ...fields }
}

/** A crafted delivery that was answered 204. */
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

/** A job of an item that was accepted at once. */
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

/** An attempt that was accepted. */
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

/** A fault that duplicates deliveries once. */
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

/** A webhook for items that is enabled. */
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

/** A call that showed an item. */
export function call(fields: Partial<RequestRecord> = {}): RequestRecord {
  return {
    id: 1,
    at: AT,
    real_at: AT,
    method: 'GET',
    path: '/items/i1',
    operation: 'showItem',
    object_type: 'items',
    object_id: 'i1',
    by: 'sandbox@example.test',
    user_agent: 'mine/1.0',
    status: 200,
    took_ms: 3.4,
    faults: [],
    ...fields,
  }
}

/** A card payment that is half done and waits to be asked. */
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
