/** Every type of the service's wire, strict and tolerant, and the kinds of payments. There is nothing to run here: `import type` it. */
export type * from './generated/service-types.ts'
export type {
  Schemas as TolerantSchemas,
  TolerantNotification,
  TolerantItemsNotification,
  TolerantUsersNotification,
  TolerantBatchTransactionsNotification,
  TolerantAccountsNotification,
  TolerantTransactionsNotification,
  TolerantDisbursementsNotification,
  TolerantCompaniesNotification,
  TolerantVirtualAccountsNotification,
  TolerantBankAccountsNotification,
} from './generated/tolerant-types.ts'
export type { NotificationByType, NotifiedType, ObjectByType } from './generated/notifications.ts'
export type { PaymentKind } from './payments.ts'
