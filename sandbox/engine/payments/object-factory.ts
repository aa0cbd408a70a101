import type { Item, User } from '../../../spec/generated/service-types.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import { accountFields, drawDetails } from '../objects/accounts.ts'
import { partyFields } from '../objects/item-parties.ts'
import { type EngineContext, newObjectDefaults, type ObjectFields } from '../objects/draws.ts'
import { newObject } from '../objects/objects.ts'
import type { AccountKind, AccountOwner, ObjectWrite } from '../state/entries.ts'

export type ObjectFactory = ReturnType<typeof createObjectFactory>

interface ItemRequest {
  readonly amount: number
  readonly currency: string
  /** The seller. Defaults to a new user. */
  readonly user?: string | undefined
}

/** Creates a factory that finds or creates the objects of a payment. The factory creates each object only once. */
export function createObjectFactory(context: EngineContext) {
  const { view, newId } = context
  const writes: ObjectWrite[] = []
  const accounts = new Map<string, string>()
  const users = new Map<string, User>()

  function create<Type extends NotifiedType>(
    type: Type,
    fields: ObjectFields,
    { id, owner }: { readonly id: string; readonly owner?: AccountOwner },
  ): ObjectByType[Type] {
    const object = newObject(type, fields, newObjectDefaults(id, context))
    const silent = type !== 'items' && !isEveryObjectNotified(context)
    writes.push({ kind: 'object', object_type: type, object, ...(owner && { owner }), silent })
    return object
  }

  function findUser(id = newId()): User {
    const known = view.object('users', id)?.body ?? users.get(id)
    if (known) return known
    const user = create('users', { id, verification_state: 'approved' }, { id })
    users.set(id, user)
    return user
  }

  /** Finds or creates an account and returns its id. A new account starts with the balance `amount`, in minor units. */
  function account(user_id: string, account_kind: AccountKind, amount = 0): string {
    const key = `${user_id}/${account_kind}`
    const known = view.accountId(user_id, account_kind) ?? accounts.get(key)
    if (known !== undefined) return known
    const uuid = newId()
    const holder = () => findUser(user_id).full_name
    const owner = { user_id, account_kind, ...drawDetails(account_kind, holder, newId) }
    create('accounts', { uuid, ...accountFields(owner), amount }, { id: uuid, owner })
    accounts.set(key, uuid)
    return uuid
  }

  return {
    writes,
    user: (id?: string): string => findUser(id).id,
    account,
    virtualAccount(owner: string, wallet: string): string {
      const id = newId()
      create('virtual_accounts', virtualAccountFields(findUser(owner), wallet), { id })
      return id
    },
    item({ amount, currency, user }: ItemRequest): Item {
      const parties = partyFields(findUser(), findUser(user))
      return create('items', { amount, currency, ...parties }, { id: newId() })
    },
  }
}

/** Returns true if a payment also sends notifications for objects that §6.2 does not list. Reading: accompanying-notifications */
export function isEveryObjectNotified({ readings }: Pick<EngineContext, 'readings'>): boolean {
  return readings()['accompanying-notifications'] === 'all'
}

export function virtualAccountFields(owner: User, wallet_account_id: string): ObjectFields {
  return {
    user_external_id: owner.id,
    wallet_account_id,
    account_name: owner.full_name,
    aka_names: [owner.full_name],
    full_legal_account_name: owner.full_name,
  }
}
