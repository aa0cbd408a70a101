import type { Item, User } from '../../../spec/generated/service-types.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import { newObject } from '../objects/makers.ts'
import { birthOf } from '../objects/birth.ts'
import { partiesOf } from '../objects/items.ts'
import type { Fields } from '../objects/plausible.ts'
import type { EngineContext } from '../state/context.ts'
import type { AccountKind, AccountOwner } from '../state/entries.ts'
import type { ObjectWrite } from '../state/write.ts'
import { ACCOUNT_CODES } from '../objects/accounts.ts'

/** Finds or makes the objects that a payment needs, each once; each of its functions answers with the id. */
export interface Maker {
  /** What had to be made so far. */
  readonly writes: readonly ObjectWrite[]
  user(id?: string): string
  /** An account that has to be made holds the amount, in minor units. */
  account(owner: string, kind: AccountKind, amount?: number): string
  virtualAccount(owner: string, wallet: string): string
  /** Its seller is the user, if one is given. */
  item(request: ItemRequest): Item
}

interface ItemRequest {
  readonly amount: number
  readonly currency: string
  readonly user?: string | undefined
}

const BUYER = { first_name: 'Neve', last_name: 'Byrne', email: 'neve.byrne@example.test' }
const SELLER = { first_name: 'Samuel', last_name: 'Seed', email: 'samuel.seed@example.test' }

export function createMaker(context: EngineContext): Maker {
  const { view, newId } = context
  const writes: ObjectWrite[] = []
  const made = new Map<string, string>()
  const people = new Map<string, User>()
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

  function person(id = newId(), who: Fields = SELLER): User {
    const known = view.object('users', id)?.body ?? people.get(id)
    if (known) return known
    const user = make('users', { id, verification_state: 'approved', ...who }, { id })
    people.set(id, user)
    return user
  }

  function account(user_id: string, account_kind: AccountKind, amount = 0): string {
    const key = `${user_id}/${account_kind}`
    const present = view.accountOf(user_id, account_kind) ?? made.get(key)
    if (present !== undefined) return present
    const uuid = newId()
    const fields = { uuid, account_type_id: ACCOUNT_CODES[account_kind], amount }
    make('accounts', fields, { id: uuid, write: { owner: { user_id, account_kind } } })
    made.set(key, uuid)
    return uuid
  }

  return {
    writes,
    user: (id) => person(id).id,
    account,
    virtualAccount(owner, wallet) {
      const id = newId()
      make('virtual_accounts', virtualAccountFields(id, person(owner), wallet), { id })
      return id
    },
    item({ amount, currency, user }) {
      const parties = partiesOf(person(undefined, BUYER), person(user))
      return make('items', { amount, currency, ...parties }, { id: newId() })
    },
  }
}

interface Given {
  readonly id: string
  readonly write?: { readonly owner: AccountOwner }
}

/** Whom a payment needs is no part of what §6.2 lists. Reading: accompanying-notifications */
function isTold({ readings }: EngineContext): boolean {
  return readings()['accompanying-notifications'] === 'all'
}

/** It has nine digits of its own, and its user's name. */
function virtualAccountFields(id: string, owner: User, wallet_account_id: string): Fields {
  return {
    user_external_id: owner.id,
    wallet_account_id,
    account_number: id.replaceAll(/\D/g, '').slice(0, 9).padEnd(9, '0'),
    account_name: owner.full_name,
    full_legal_account_name: owner.full_name,
  }
}
