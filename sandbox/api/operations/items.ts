import { refuseField } from '../../engine/core/api-error.ts'
import { partyFields } from '../../engine/objects/item-parties.ts'
import { newObjectDefaults } from '../../engine/objects/draws.ts'
import { changeFields, newObject } from '../../engine/objects/objects.ts'
import { startPayment } from '../../engine/payments/play.ts'
import { settlementPace } from '../../engine/payments/settlement.ts'
import { type PaymentPace, type AccountKind, isObjectWrite } from '../../engine/state/entries.ts'
import { findAccount } from './accounts.ts'
import { findObject, reply, type Context, type Operation } from './operation.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type { PaymentKind } from '../../../spec/payments.ts'

export const createItem: Operation<'createItem'> = ({ body }, context) => {
  const id = body.id ?? context.newId()
  if (context.view.object('items', id)) refuseField('id', 'has already been taken')
  const [buyer, seller] = [
    findUser(body.buyer_id, 'buyer_id', context),
    findUser(body.seller_id, 'seller_id', context),
  ]
  const { name, amount, description = null, custom_descriptor = null, due_date = null } = body
  const { currency, payment_type_id } = body
  const fields = {
    ...partyFields(buyer, seller),
    name,
    amount,
    description,
    custom_descriptor,
    due_date,
    ...(currency !== undefined && { currency }),
    ...(payment_type_id !== undefined && { payment_type_id }),
  }
  const items = newObject('items', fields, newObjectDefaults(id, context))
  return reply(201, { items }, [{ kind: 'object', object_type: 'items', object: items }])
}

const WRITABLE = ['name', 'amount', 'description', 'custom_descriptor', 'due_date'] as const

export const updateItem: Operation<'updateItem'> = ({ path, body }, context) => {
  const before = findObject('items', path.id, context)
  const fields = Object.fromEntries(
    WRITABLE.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]] as const])),
  )
  // Rejects a price below the fees. This rule is Hookbench's own choice.
  if (body.amount !== undefined && body.amount < before.seller_fees) {
    refuseField('amount', `is ${body.amount}, which is less than the seller's fees of ${before.seller_fees}`)
  }
  const items = changeFields('items', before, { fields, now: timestamp(context.now()) })
  return reply(
    200,
    { items },
    items === before ? [] : [{ kind: 'object', object_type: 'items', object: items }],
  )
}

/** The states in which an item can be paid. Hookbench chose these states. */
const PAYABLE: ReadonlySet<string> = new Set(['pending', 'payment_required'])

const PAYMENT_BY_ACCOUNT: { readonly [Kind in AccountKind]: PaymentKind } = {
  bank: 'direct-debit-payin',
  card: 'card-payin',
  wallet: 'wallet-to-item-transfer',
}

/** A direct debit waits for its outcome. A card payment waits for settlement, unless that is immediate. Reading: settlement */
const PACES: { readonly [Kind in AccountKind]: (context: Context) => PaymentPace } = {
  bank: () => 'stepwise',
  card: settlementPace,
  wallet: () => 'instant',
}

/** Reading: platform-operations */
export const makePayment: Operation<'makePayment'> = ({ path, body }, context) => {
  const item = findObject('items', path.id, context)
  if (!PAYABLE.has(item.state)) refuseField('state', `is ${item.state}: it cannot be paid`)
  const owner = { user_id: item.related.buyers, role: 'the buyer of the item' }
  const { account, kind } = findAccount(
    body.account_id,
    { kinds: ['bank', 'card', 'wallet'], owner },
    context,
  )
  if (kind === 'wallet' && account.amount < item.total_amount) {
    refuseField('account_id', `holds ${account.amount}, but the item costs ${item.total_amount}`)
  }
  const payment = { kind: PAYMENT_BY_ACCOUNT[kind], item: item.id, account: account.uuid }
  const { writes } = startPayment({ ...payment, pace: PACES[kind](context) }, context)
  const items = writes.find((write) => isObjectWrite(write, 'items'))?.object ?? item
  return reply(200, { items }, writes)
}

function findUser(id: string, field: string, { view }: Context) {
  const user = view.object('users', id)
  if (!user) refuseField(field, 'not found')
  return user.body
}
