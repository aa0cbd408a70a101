import { ApiError } from '../http/api-error.ts'
import type { Operations } from './operation.ts'
import {
  showAccount,
  showBatchTransaction,
  showCompany,
  showDisbursement,
  showItem,
  showTransaction,
  showUser,
  showVirtualAccount,
} from './shows.ts'
import { createToken } from './tokens.ts'
import { listWebhookJobs, showWebhookJob } from './webhook-jobs.ts'
import { createWebhook, deleteWebhook, listWebhooks, showWebhook, updateWebhook } from './webhooks.ts'

/** How to say that an operation of the spec is not built yet: 501, and nothing else. */
const notImplemented = (): never => {
  throw new ApiError('not-implemented', 'this operation is specified but not built yet')
}

/** Every operation of the service API. */
export const operations: Operations = {
  billPayment: notImplemented,
  createBankAccount: notImplemented,
  createCallback: notImplemented,
  createCardAccount: notImplemented,
  createItem: notImplemented,
  createSecretKey: notImplemented,
  createUser: notImplemented,
  createVirtualAccount: notImplemented,
  deleteCallback: notImplemented,
  exportTransactions: notImplemented,
  listCallbackResponses: notImplemented,
  listCallbacks: notImplemented,
  makePayment: notImplemented,
  moveTransactionStates: notImplemented,
  showCallback: notImplemented,
  showCallbackResponse: notImplemented,
  updateCallback: notImplemented,
  updateItem: notImplemented,
  updateUser: notImplemented,
  verifyUser: notImplemented,
  withdraw: notImplemented,
  createToken,
  createWebhook,
  deleteWebhook,
  listWebhookJobs,
  listWebhooks,
  showAccount,
  showBatchTransaction,
  showCompany,
  showDisbursement,
  showItem,
  showTransaction,
  showUser,
  showVirtualAccount,
  showWebhook,
  showWebhookJob,
  updateWebhook,
}
