import * as accounts from './accounts.ts'
import * as callbacks from './callbacks.ts'
import * as items from './items.ts'
import type { Operations } from './operation.ts'
import * as shows from './shows.ts'
import * as simulation from './simulation.ts'
import * as tokens from './tokens.ts'
import * as users from './users.ts'
import * as wallets from './wallets.ts'
import * as webhookJobs from './webhook-jobs.ts'
import * as webhooks from './webhooks.ts'

export const operations: Operations = {
  ...accounts,
  ...callbacks,
  ...items,
  ...shows,
  ...simulation,
  ...tokens,
  ...users,
  ...wallets,
  ...webhookJobs,
  ...webhooks,
}
