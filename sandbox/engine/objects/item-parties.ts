import type { Item, User } from '../../../spec/generated/service-types.ts'
import { type EngineContext, newObjectDefaults, type ObjectFields } from './draws.ts'
import type { ObjectWrite } from '../state/entries.ts'
import { newObject } from './objects.ts'

/** Returns the fields of an item that describe its buyer and seller. Source: §2.5 */
export function partyFields(buyer: User, seller: User): ObjectFields {
  return {
    buyer_name: buyer.full_name,
    buyer_email: buyer.email,
    buyer_country: buyer.location,
    seller_name: seller.full_name,
    seller_email: seller.email,
    seller_country: seller.location,
    related: { buyers: buyer.id, sellers: seller.id },
  }
}

/** Creates a new item's missing buyer and seller, without notifications, so that a receiver can fetch them. */
export function missingParties(item: Item, context: EngineContext): readonly ObjectWrite[] {
  const { related, buyer_name, buyer_email, seller_name, seller_email } = item
  const parties = [
    [related.buyers, buyer_name, buyer_email],
    [related.sellers, seller_name, seller_email],
  ] as const
  return parties.flatMap(([id, full_name, email]) => {
    // Skips an id with a slash, because such an id cannot be a path segment.
    if (id.includes('/') || context.view.object('users', id)) return []
    const [first_name = '', ...others] = full_name.split(' ')
    const fields = { first_name, last_name: others.join(' '), email }
    const user = newObject('users', fields, newObjectDefaults(id, context))
    return [{ kind: 'object', object_type: 'users', object: user, silent: true } as const]
  })
}
