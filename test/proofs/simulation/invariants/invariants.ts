import { count, schedule, status, stop } from './attempts.ts'
import { bounded, inside, reject } from './bounds.ts'
import { clock } from './clock.ts'
import { dupBound, noLoss, order } from './deliveries.ts'
import type { Invariant } from './invariant.ts'
import { atomic, body, job } from './jobs.ts'
import { callback, filter, lag } from './listings.ts'
import { egress, oneEnabled, testPost } from './registrations.ts'
import { tables } from './tables.ts'

/** What holds of one run, whatever is done in it. Those that compare two runs are in `variants.ts`. */
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
