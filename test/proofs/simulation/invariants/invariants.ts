import { clock, count, schedule, status, stop } from './attempts.ts'
import { bounded, callback, filter, inside, lag, reject, tables } from './bounds.ts'
import { dupBound, egress, noLoss, oneEnabled, order, testPost } from './deliveries.ts'
import type { Invariant } from './invariant.ts'
import { atomic, body, job } from './jobs.ts'

/** Invariants that compare two runs are in `variants.ts`. */
export const INVARIANTS: readonly Invariant[] = [
  job,
  atomic,
  body,
  schedule,
  stop,
  status,
  count,
  noLoss,
  dupBound,
  oneEnabled,
  testPost,
  clock,
  order,
  filter,
  lag,
  egress,
  bounded,
  reject,
  callback,
  inside,
  tables,
]

interface ElsewhereHeld {
  readonly id: string
  readonly about: string
  readonly test: string
}

export const ELSEWHERE: readonly ElsewhereHeld[] = [
  {
    id: 'I-schedule',
    about: 'on a clock that runs by itself, each retry comes in time',
    test: 'test/end-to-end/ladder-at-speed.test.ts',
  },
  {
    id: 'I-order',
    about: 'the notifications of a payment arrive in the order of the document',
    test: 'test/sandbox/engine/payments/payments.test.ts',
  },
  {
    id: 'I-egress',
    about: 'every socket goes to an address that the policy allows, and a redirect opens none',
    test: 'test/end-to-end/transport.test.ts',
  },
  {
    id: 'I-bounded',
    about: 'the stored part of a response is bounded for every response',
    test: 'test/end-to-end/transport.test.ts',
  },
]
