import type { Account } from '../../../spec/generated/service-types.ts'
import { ApiError, refuseField } from '../../engine/core/api-error.ts'
import {
  ACCOUNT_CODES,
  newAccount,
  toBankAccount,
  toCardAccount,
  toWalletAccount,
} from '../../engine/objects/accounts.ts'
import type { AccountKind, AccountOwner } from '../../engine/state/entries.ts'
import { reply, type Context, type Operation } from './operation.ts'

interface RequiredOwner {
  readonly user_id: string | undefined
  readonly role: string
}

/** Finds an account by any of its ids. Throws ApiError for `account_id` if its kind or owner is wrong. */
export function findAccount(
  id: string,
  { kinds, owner }: { readonly kinds: readonly AccountKind[]; readonly owner: RequiredOwner },
  context: Context,
): { readonly account: Account; readonly kind: AccountKind } {
  const account = context.view.object('accounts', id)?.body
  const kind = kinds.find((name) => ACCOUNT_CODES[name] === account?.account_type_id)
  if (!account || !kind) refuseField('account_id', `no ${kinds.join(' or ')} account has this id`)
  refuseOtherOwner(account.uuid, owner, context)
  return { account, kind }
}

/** Throws ApiError for an account of another owner. Accounts from the bench have no owner, so any user can use them. Our choice. */
export function refuseOtherOwner(uuid: string, { user_id, role }: RequiredOwner, { view }: Context): void {
  const owner = view.accountOwner(uuid)?.user_id
  if (owner === undefined || user_id === undefined || owner === user_id) return
  refuseField('account_id', `does not belong to ${role}`)
}

/** Finds an account of this kind by any of its ids. Throws ApiError if the account does not exist. */
export function findById(
  id: string,
  kind: AccountKind,
  { view }: Context,
): readonly [Account, Partial<AccountOwner>] {
  const account = view.object('accounts', id)?.body
  if (account?.account_type_id !== ACCOUNT_CODES[kind])
    throw new ApiError('not-found', { field: 'id', message: 'not found' })
  return [account, view.accountOwner(account.uuid) ?? {}]
}

/** The Show operation for an account's own link, `links.self`. Reading: show-operations */
export const showBankAccount: Operation<'showBankAccount'> = ({ path }, context) =>
  reply(200, { bank_accounts: toBankAccount(...findById(path.id, 'bank', context)) })

export const showCardAccount: Operation<'showCardAccount'> = ({ path }, context) =>
  reply(200, { card_accounts: toCardAccount(...findById(path.id, 'card', context)) })

export const showWalletAccount: Operation<'showWalletAccount'> = ({ path }, context) =>
  reply(200, { wallet_accounts: toWalletAccount(...findById(path.id, 'wallet', context)) })

export const createBankAccount: Operation<'createBankAccount'> = ({ body }, context) => {
  const { bank_name, country, account_name, holder_type, account_type, currency = 'AUD' } = body
  const masked = {
    routing_number: maskNumber(body.routing_number),
    account_number: maskNumber(body.account_number),
  }
  const bank = { bank_name, country, account_name, holder_type, account_type, ...masked }
  const owner = { ...findOwner(body.user_id, 'bank', context), bank, currency }
  const { account, write } = newAccount(owner, context)
  return reply(201, { bank_accounts: toBankAccount(account, owner) }, [write])
}

export const createCardAccount: Operation<'createCardAccount'> = ({ body }, context) => {
  const { full_name, number, expiry_month, expiry_year, currency = 'AUD' } = body
  const type = number.startsWith('4') ? 'visa' : 'mastercard'
  const card = { type, full_name, number: maskNumber(number), expiry_month, expiry_year }
  const owner = { ...findOwner(body.user_id, 'card', context), card, currency }
  const { account, write } = newAccount(owner, context)
  return reply(201, { card_accounts: toCardAccount(account, owner) }, [write])
}

function findOwner(user_id: string, account_kind: AccountKind, context: Context): AccountOwner {
  if (!context.view.object('users', user_id)) {
    refuseField('user_id', 'not found')
  }
  return { user_id, account_kind }
}

/** Masks all characters of an account number except the last three. Masks a short number completely. Source: §2.8 */
function maskNumber(text: string): string {
  return (text.length > 3 ? text.slice(-3) : '').padStart(text.length, 'X')
}
