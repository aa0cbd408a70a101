import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { reply, type Context, type Operation } from './operation.ts'

/** The same body as pushed notifications. Source: §4. Reading: show-operations */
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
