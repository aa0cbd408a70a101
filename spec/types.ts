/** The strict and tolerant types of the service, and the payment kinds. This file contains no code, so use `import type`. */
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
