import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { reply, type Context, type Operation } from './operation.ts'
import type { Account } from '../../../spec/generated/service-types.ts'
import { toBankAccount, toCardAccount, toWalletAccount } from '../../engine/objects/accounts.ts'
import type { AccountKind, AccountOwner } from '../../engine/state/entries.ts'

/** Shows the same body as notifications. Source: §4. Reading: show-operations */
export const showItem: Operation<'showItem'> = ({ path }, context) =>
  reply(200, { items: findObject('items', path.id, context) })

export const showUser: Operation<'showUser'> = ({ path }, context) =>
  reply(200, { users: findObject('users', path.id, context) })

export const showTransaction: Operation<'showTransaction'> = ({ path }, context) =>
  reply(200, { transactions: findObject('transactions', path.id, context) })

export const showBatchTransaction: Operation<'showBatchTransaction'> = ({ path }, context) =>
  reply(200, { batch_transactions: findObject('batch_transactions', path.id, context) })

export const showDisbursement: Operation<'showDisbursement'> = ({ path }, context) =>
  reply(200, { disbursements: findObject('disbursements', path.id, context) })

export const showCompany: Operation<'showCompany'> = ({ path }, context) =>
  reply(200, { companies: findObject('companies', path.id, context) })

export const showAccount: Operation<'showAccount'> = ({ path }, context) =>
  reply(200, { accounts: findObject('accounts', path.id, context) })

/** Not wrapped. Reading: virtual-account-show */
export const showVirtualAccount: Operation<'showVirtualAccount'> = ({ path }, context) =>
  reply(200, findObject('virtual_accounts', path.id, context))

function findObject<Type extends NotifiedType>(
  type: Type,
  id: string,
  { view }: Context,
): ObjectByType[Type] {
  const object = view.object(type, id)
  if (!object) throw new ApiError('not-found', { field: 'id', message: 'not found' })
  return object.body
}

/** The path from a user to the wallet. Reading: platform-operations */
export const showUserWallet: Operation<'showUserWallet'> = ({ path }, context) =>
  reply(200, { wallet_accounts: toWalletAccount(...findUserAccount(path.id, 'wallet', context)) })

export const showUserBankAccount: Operation<'showUserBankAccount'> = ({ path }, context) =>
  reply(200, { bank_accounts: toBankAccount(...findUserAccount(path.id, 'bank', context)) })

export const showUserCardAccount: Operation<'showUserCardAccount'> = ({ path }, context) =>
  reply(200, { card_accounts: toCardAccount(...findUserAccount(path.id, 'card', context)) })

/** Returns the newest account of its kind. A user without one is treated as unknown. */
function findUserAccount(
  userId: string,
  kind: AccountKind,
  { view }: Context,
): readonly [Account, AccountOwner] {
  const uuid = view.accountId(userId, kind)
  const account = uuid === undefined ? undefined : view.object('accounts', uuid)?.body
  const owner = uuid === undefined ? undefined : view.accountOwner(uuid)
  if (account && owner) return [account, owner]
  throw new ApiError('not-found', { field: 'id', message: 'not found' })
}
