import type { Item } from '../../../spec/generated/service-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { changedItem, newItem, partiesOf } from '../../engine/objects/items.ts'
import type { Fields } from '../../engine/objects/plausible.ts'
import { startPayment } from '../../engine/payments/play.ts'
import { accountNamed } from './accounts.ts'
import { reply, type Context, type Operation } from './operation.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

export const createItem: Operation<'createItem'> = ({ body }, context) => {
  const id = body.id ?? context.newId()
  if (context.view.object('items', id))
    throw new ApiError('invalid', { field: 'id', message: 'has already been taken' })
  const [buyer, seller] = [
    userNamed(body.buyer_id, 'buyer_id', context),
    userNamed(body.seller_id, 'seller_id', context),
  ]
  const { name, amount, description = null, custom_descriptor = null, due_date = null } = body
  const fields = {
    ...partiesOf(buyer, seller),
    name,
    amount,
    description,
    custom_descriptor,
    due_date,
    ...optional(body),
  }
  const items = newItem(fields, { id, now: timestamp(context.now()), newId: context.newId })
  return reply(201, { items }, [{ kind: 'object', object_type: 'items', object: items }])
}

function optional({
  currency,
  payment_type_id,
}: {
  readonly currency?: string
  readonly payment_type_id?: number
}): Fields {
  return {
    ...(currency !== undefined && { currency }),
    ...(payment_type_id !== undefined && { payment_type_id }),
  }
}

const WRITABLE = ['name', 'amount', 'description', 'custom_descriptor', 'due_date'] as const

export const updateItem: Operation<'updateItem'> = ({ path, body }, context) => {
  const before = itemShown(path.id, context)
  const given = WRITABLE.flatMap((field) =>
    body[field] === undefined ? [] : [[field, body[field]] as const],
  )
  const items = changedItem(before, Object.fromEntries(given), timestamp(context.now()))
  return reply(
    200,
    { items },
    items === before ? [] : [{ kind: 'object', object_type: 'items', object: items }],
  )
}

/** What can be paid still. Ours. */
const PAYABLE: ReadonlySet<string> = new Set(['pending', 'payment_required'])

/** By card and from a wallet at once; a direct debit waits for its outcome. Reading: platform-operations */
export const makePayment: Operation<'makePayment'> = ({ path, body }, context) => {
  const item = itemShown(path.id, context)
  if (!PAYABLE.has(item.state))
    throw new ApiError('invalid', { field: 'state', message: `is ${item.state}: it cannot be paid` })
  const { account, kind } = accountNamed(
    body.account_id,
    { field: 'account_id', kinds: ['bank', 'card', 'wallet'] },
    context,
  )
  if (kind === 'wallet' && account.amount < item.total_amount) {
    throw new ApiError('invalid', {
      field: 'account_id',
      message: `holds ${account.amount}, the item costs ${item.total_amount}`,
    })
  }
  const payments = {
    bank: 'direct-debit-payin',
    card: 'card-payin',
    wallet: 'wallet-to-item-transfer',
  } as const
  const pace = kind === 'bank' ? 'stepwise' : 'instant'
  const { writes } = startPayment(
    { kind: payments[kind], item: item.id, account: account.uuid, pace },
    context,
  )
  const changed = writes.find((write) => write.kind === 'object' && write.object_type === 'items')
  const items = changed?.kind === 'object' && 'total_outstanding' in changed.object ? changed.object : item
  return reply(200, { items }, writes)
}

function itemShown(id: string, { view }: Context): Item {
  const item = view.object('items', id)
  if (!item) throw new ApiError('not-found', { field: 'id', message: 'not found' })
  return item.body
}

function userNamed(id: string, field: string, { view }: Context) {
  const user = view.object('users', id)
  if (!user) throw new ApiError('invalid', { field, message: 'not found' })
  return user.body
}
