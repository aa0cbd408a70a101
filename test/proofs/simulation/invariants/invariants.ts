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
