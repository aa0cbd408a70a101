import type { Account } from '../../../spec/generated/service-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { toBankAccount, toCardAccount, toWalletAccount } from '../../engine/objects/accounts.ts'
import type { AccountKind, AccountOwner } from '../../engine/state/entries.ts'
import { reply, type Context, type Operation } from './operation.ts'

/** The way from a user to the wallet. Reading: platform-operations */
export const showUserWallet: Operation<'showUserWallet'> = ({ path }, context) =>
  reply(200, { wallet_accounts: toWalletAccount(...findUserAccount(path.id, 'wallet', context)) })

export const showUserBankAccount: Operation<'showUserBankAccount'> = ({ path }, context) =>
  reply(200, { bank_accounts: toBankAccount(...findUserAccount(path.id, 'bank', context)) })

export const showUserCardAccount: Operation<'showUserCardAccount'> = ({ path }, context) =>
  reply(200, { card_accounts: toCardAccount(...findUserAccount(path.id, 'card', context)) })

/** The newest of its kind. A user without one has nothing to show, as if the user were unknown. */
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
