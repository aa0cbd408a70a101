import type { Item } from '../../spec/generated/service-types.ts'
import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import { newObject } from '../objects/makers.ts'
import { birthOf } from '../objects/birth.ts'
import type { Fields } from '../objects/plausible.ts'
import { ACCOUNT_CODES } from '../operations/accounts.ts'
import type { Context, ObjectWrite } from '../operations/operation.ts'
import type { AccountKind, AccountOwner } from '../state/entries.ts'

/** Finds or makes the objects that a payment needs, each once; each of its functions answers with the id. */
export interface Maker {
  /** What had to be made so far. */
  readonly writes: readonly ObjectWrite[]
  user(id?: string): string
  account(owner: string, kind: AccountKind): string
  virtualAccount(owner: string, wallet: string): string
  item(amount: number, currency: string): Item
}

export function createMaker(context: Context): Maker {
  const { view, newId } = context
  const writes: ObjectWrite[] = []
  const made = new Map<string, string>()
  const make = <Type extends NotifiedType>(type: Type, fields: Fields, given: Given): ObjectByType[Type] => {
    const object = newObject(type, fields, birthOf(given.id, context))
    writes.push({
      kind: 'object',
      object_type: type,
      object,
      ...given.write,
      silent: type !== 'items' && !isTold(context),
    })
    return object
  }

  function user(id = newId()): string {
    if (view.object('users', id) || made.has(id)) return id
    make('users', { id, verification_state: 'approved' }, { id })
    made.set(id, id)
    return id
  }

  function account(user_id: string, account_kind: AccountKind): string {
    const key = `${user_id}/${account_kind}`
    const present = view.accountOf(user_id, account_kind) ?? made.get(key)
    if (present !== undefined) return present
    const uuid = newId()
    const fields = { uuid, account_type_id: ACCOUNT_CODES[account_kind], amount: 0 }
    make('accounts', fields, { id: uuid, write: { owner: { user_id, account_kind } } })
    made.set(key, uuid)
    return uuid
  }

  return {
    writes,
    user,
    account,
    virtualAccount(owner, wallet) {
      const id = newId()
      make('virtual_accounts', { user_external_id: owner, wallet_account_id: wallet }, { id })
      return id
    },
    item(amount, currency) {
      const related = { buyers: user(), sellers: user() }
      return make('items', { amount, currency, related }, { id: newId() })
    },
  }
}

interface Given {
  readonly id: string
  readonly write?: { readonly owner: AccountOwner }
}

/** Whom a payment needs is no part of what §6.2 lists. Reading: accompanying-notifications */
function isTold({ readings }: Context): boolean {
  return readings['accompanying-notifications'] === 'all'
}
