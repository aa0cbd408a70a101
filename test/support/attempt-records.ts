import type { attemptLine } from '../../sandbox/cli/terminal.ts'

export const NOW = Date.parse('2026-01-01T00:00:00.000Z')

/** A job, with the attempt that it had last. */
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
  begun: null,
  attempts: 2,
  last: '503',
  first_ended_at: NOW,
  next_due_at: NOW + 20 * 60_000,
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
