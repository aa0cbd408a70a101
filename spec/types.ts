/** Every type of the service's wire, strict and tolerant. There is nothing to run here: `import type` it. */
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
} from './generated/tolerant-types.ts'
export type { NotificationByType, NotifiedType, ObjectByType } from './generated/notifications.ts'
