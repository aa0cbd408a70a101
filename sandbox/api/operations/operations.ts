import {
  createCallback,
  deleteCallback,
  listCallbackResponses,
  listCallbacks,
  showCallback,
  showCallbackResponse,
  updateCallback,
} from './callbacks.ts'
import {
  createBankAccount,
  createCardAccount,
  showBankAccount,
  showCardAccount,
  showWalletAccount,
} from './accounts.ts'
import { createItem, makePayment, updateItem } from './items.ts'
import type { Operations } from './operation.ts'
import { exportTransactions, moveTransactionStates } from './simulation.ts'
import { createUser, updateUser, verifyUser } from './users.ts'
import {
  showAccount,
  showBatchTransaction,
  showCompany,
  showDisbursement,
  showItem,
  showTransaction,
  showUser,
  showUserBankAccount,
  showUserCardAccount,
  showUserWallet,
  showVirtualAccount,
} from './shows.ts'
import { createToken } from './tokens.ts'
import { billPayment, createVirtualAccount, withdraw } from './wallets.ts'
import { listWebhookJobs, showWebhookJob } from './webhook-jobs.ts'
import {
  createSecretKey,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  showWebhook,
  updateWebhook,
} from './webhooks.ts'

/** Every operation of the service API. */
export const operations: Operations = {
  billPayment,
  createBankAccount,
  createCardAccount,
  createItem,
  createUser,
  createVirtualAccount,
  exportTransactions,
  makePayment,
  moveTransactionStates,
  updateItem,
  updateUser,
  verifyUser,
  withdraw,
  createCallback,
  createSecretKey,
  createToken,
  createWebhook,
  deleteCallback,
  deleteWebhook,
  listCallbackResponses,
  listCallbacks,
  listWebhookJobs,
  listWebhooks,
  showAccount,
  showBankAccount,
  showBatchTransaction,
  showCallback,
  showCallbackResponse,
  showCardAccount,
  showCompany,
  showDisbursement,
  showItem,
  showTransaction,
  showUser,
  showUserBankAccount,
  showUserCardAccount,
  showUserWallet,
  showVirtualAccount,
  showWalletAccount,
  showWebhook,
  showWebhookJob,
  updateCallback,
  updateWebhook,
}
