import type { Account } from '../../../spec/generated/service-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { ACCOUNT_CODES, newAccount, toBankAccount } from '../../engine/objects/accounts.ts'
import { startPayment, type PlayRequest } from '../../engine/payments/play.ts'
import type { AccountKind, AccountOwner } from '../../engine/state/entries.ts'
import { isObjectWrite } from '../../engine/state/write.ts'
import { reply, type Context, type Operation } from './operation.ts'

/** An account of one of the kinds, by any of its ids. Throws ApiError about the field that named it. */
export function findAccount(
  id: string,
  { field, kinds }: { readonly field: string; readonly kinds: readonly AccountKind[] },
  { view }: Context,
): { readonly account: Account; readonly kind: AccountKind; readonly user_id: string | undefined } {
  const account = view.object('accounts', id)?.body
  const kind = kinds.find((name) => ACCOUNT_CODES[name] === account?.account_type_id)
  if (!account || !kind)
    throw new ApiError('invalid', { field, message: `no ${kinds.join(' or ')} account has this id` })
  return { account, kind, user_id: view.accountOwner(account.uuid)?.user_id }
}

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
  const { account, write } = newAccount(findOwner(body.user_id, 'card', context), context)
  const { full_name, number, expiry_month, expiry_year } = body
  const { uuid: id, created_at, updated_at } = account
  return reply(
    201,
    {
      card_accounts: {
        id,
        active: true,
        created_at,
        updated_at,
        currency: body.currency ?? 'AUD',
        verification_status: 'not_verified',
        card: {
          type: number.startsWith('4') ? 'visa' : 'mastercard',
          full_name,
          number: maskNumber(number),
          expiry_month,
          expiry_year,
        },
        links: { self: `/card_accounts/${id}`, users: `/card_accounts/${id}/users` },
      },
    },
    [write],
  )
}

/** Reading: withdraw-kind */
export const withdraw: Operation<'withdraw'> = ({ path, body }, context) => {
  const realtime = context.readings()['withdraw-kind'] === 'realtime'
  const { account } = findAccount(body.account_id, { field: 'account_id', kinds: ['bank'] }, context)
  const kind = realtime ? 'realtime-payout' : 'direct-credit-payout'
  return payOut(
    path.id,
    { kind, amount: body.amount, account: account.uuid, pace: realtime ? 'instant' : 'stepwise' },
    context,
  )
}

/** BPAY accounts are not kept: any id is taken for one. Ours. */
export const billPayment: Operation<'billPayment'> = ({ path, body }, context) =>
  payOut(
    path.id,
    { kind: 'bpay-payout', amount: body.amount, account: body.account_id, pace: 'stepwise' },
    context,
  )

export const createVirtualAccount: Operation<'createVirtualAccount'> = ({ body }, context) => {
  const { account, user_id } = findAccount(
    body.wallet_account_id,
    { field: 'wallet_account_id', kinds: ['wallet'] },
    context,
  )
  const { payment, writes } = startPayment(
    { kind: 'virtual-account-activation', user: user_id, pace: 'stepwise' },
    context,
  )
  const names = {
    account_name: body.account_name,
    full_legal_account_name: body.account_name,
    aka_names: body.aka_names ?? [],
  }
  const created = writes.find((write) => isObjectWrite(write, 'virtual_accounts'))
  if (!created) throw new Error(`Cannot find the virtual account of payment ${payment.id}`)
  const object = { ...created.object, ...names, wallet_account_id: account.uuid }
  return reply(
    202,
    object,
    writes.map((write) => (write === created ? { ...created, object } : write)),
  )
}

function payOut(wallet: string, request: PlayRequest & { readonly amount: number }, context: Context) {
  const account = context.view.object('accounts', wallet)?.body
  if (account?.account_type_id !== ACCOUNT_CODES.wallet)
    throw new ApiError('not-found', { field: 'id', message: 'not found' })
  if (request.amount > account.amount) {
    throw new ApiError('invalid', {
      field: 'amount',
      message: `is more than the wallet holds, which is ${account.amount}`,
    })
  }
  const user = context.view.accountOwner(account.uuid)?.user_id
  const { writes } = startPayment({ ...request, user, wallet: account.uuid }, context)
  const batch = writes.find((write) => isObjectWrite(write, 'batch_transactions'))
  if (batch) return reply(200, { batch_transactions: batch.object }, writes)
  const disbursement = writes.find((write) => isObjectWrite(write, 'disbursements'))
  if (disbursement) return reply(200, { disbursements: disbursement.object }, writes)
  throw new Error(`Cannot pay out of "${wallet}": it created no payout`)
}

function findOwner(user_id: string, account_kind: AccountKind, context: Context): AccountOwner {
  if (!context.view.object('users', user_id)) {
    throw new ApiError('invalid', { field: 'user_id', message: 'not found' })
  }
  return { user_id, account_kind }
}

/** Leading characters replaced by X: all but three, or all of a number that has no more. Source: §2.8 */
function maskNumber(text: string): string {
  return (text.length > 3 ? text.slice(-3) : '').padStart(text.length, 'X')
}
