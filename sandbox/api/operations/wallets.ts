import type { Account } from '../../../spec/generated/service-types.ts'
import { refuseField } from '../../engine/core/api-error.ts'
import { startPayment, type PlayRequest } from '../../engine/payments/play.ts'
import { settlementPace } from '../../engine/payments/settlement.ts'
import { isObjectWrite } from '../../engine/state/entries.ts'
import { findAccount, findById, refuseOtherOwner } from './accounts.ts'
import { reply, type Context, type Operation } from './operation.ts'

/** Starts a withdrawal. Readings: withdraw-kind, settlement */
export const withdraw: Operation<'withdraw'> = ({ path, body }, context) => {
  const wallet = findWallet(path.id, context)
  const realtime = context.readings()['withdraw-kind'] === 'realtime'
  const owner = ownerOf(wallet, context)
  const { account } = findAccount(body.account_id, { kinds: ['bank'], owner }, context)
  const kind = realtime ? 'realtime-payout' : 'direct-credit-payout'
  const pace = realtime ? settlementPace(context) : 'stepwise'
  return payOut(wallet, { kind, amount: body.amount, account: account.uuid, pace }, context)
}

/** Pays a bill. Accepts any id except that of another user's account, because the sandbox stores no BPAY accounts. Our choice. */
export const billPayment: Operation<'billPayment'> = ({ path, body }, context) => {
  const wallet = findWallet(path.id, context)
  const uuid = context.view.object('accounts', body.account_id)?.body.uuid
  if (uuid !== undefined) refuseOtherOwner(uuid, ownerOf(wallet, context), context)
  return payOut(
    wallet,
    { kind: 'bpay-payout', amount: body.amount, account: body.account_id, pace: 'stepwise' },
    context,
  )
}

export const createVirtualAccount: Operation<'createVirtualAccount'> = ({ path, body }, context) => {
  const wallet = findWallet(path.id, context)
  const user = ownerOf(wallet, context).user_id
  const request = { kind: 'virtual-account-activation', user, pace: 'stepwise' } as const
  const { payment, writes } = startPayment(request, context)
  const names = {
    account_name: body.account_name,
    full_legal_account_name: body.account_name,
    aka_names: body.aka_names ?? [],
  }
  const created = writes.find((write) => isObjectWrite(write, 'virtual_accounts'))
  if (!created) throw new Error(`Cannot find the virtual account of payment ${payment.id}`)
  const object = { ...created.object, ...names, wallet_account_id: wallet.uuid }
  return reply(
    202,
    object,
    writes.map((write) => (write === created ? { ...created, object } : write)),
  )
}

function findWallet(id: string, context: Context): Account {
  const [wallet] = findById(id, 'wallet', context)
  return wallet
}

function ownerOf({ uuid }: Account, { view }: Context) {
  return { user_id: view.accountOwner(uuid)?.user_id, role: 'the owner of the wallet' }
}

function payOut(wallet: Account, request: PlayRequest & { readonly amount: number }, context: Context) {
  if (request.amount > wallet.amount) {
    refuseField('amount', `is more than the wallet balance of ${wallet.amount}`)
  }
  const user = ownerOf(wallet, context).user_id
  const { writes } = startPayment({ ...request, user, wallet: wallet.uuid }, context)
  const disbursement = writes.find((write) => isObjectWrite(write, 'disbursements'))
  if (!disbursement) throw new Error(`Cannot pay out of "${wallet.uuid}": no disbursement was created`)
  return reply(201, { disbursements: disbursement.object }, writes)
}
