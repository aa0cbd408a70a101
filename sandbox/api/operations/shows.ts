import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import { findObject, reply, type Context, type Operation, type Reply } from './operation.ts'
import { toBankAccount, toCardAccount, toWalletAccount } from '../../engine/objects/accounts.ts'
import type { AccountKind } from '../../engine/state/entries.ts'
import { findById } from './accounts.ts'

/** Creates a Show operation. The reply has the same body as a notification. Source: §4. Reading: show-operations */
function showObject<Type extends NotifiedType, Body>(
  type: Type,
  toBody: (object: ObjectByType[Type]) => Body,
): (input: { readonly path: { readonly id: string } }, context: Context) => Reply<Body> {
  return ({ path }, context) => reply(200, toBody(findObject(type, path.id, context)))
}

export const showItem = showObject('items', (items) => ({ items }))
export const showUser = showObject('users', (users) => ({ users }))
export const showTransaction = showObject('transactions', (transactions) => ({ transactions }))
export const showBatchTransaction = showObject('batch_transactions', (object) => ({
  batch_transactions: object,
}))
export const showDisbursement = showObject('disbursements', (disbursements) => ({ disbursements }))
export const showCompany = showObject('companies', (companies) => ({ companies }))
export const showAccount = showObject('accounts', (accounts) => ({ accounts }))
/** The Show operation of a virtual account. The reply has no outer key with the object type. Reading: virtual-account-show */
export const showVirtualAccount = showObject('virtual_accounts', (object) => object)

/** The Show operation at the path `/users/{id}/wallet_accounts`. Reading: platform-operations */
export const showUserWallet: Operation<'showUserWallet'> = ({ path }, context) =>
  reply(200, { wallet_accounts: toWalletAccount(...findUserAccount(path.id, 'wallet', context)) })

export const showUserBankAccount: Operation<'showUserBankAccount'> = ({ path }, context) =>
  reply(200, { bank_accounts: toBankAccount(...findUserAccount(path.id, 'bank', context)) })

export const showUserCardAccount: Operation<'showUserCardAccount'> = ({ path }, context) =>
  reply(200, { card_accounts: toCardAccount(...findUserAccount(path.id, 'card', context)) })

function findUserAccount(userId: string, kind: AccountKind, context: Context) {
  return findById(context.view.accountId(userId, kind) ?? '', kind, context)
}
