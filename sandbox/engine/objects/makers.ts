import { LIFECYCLES } from '../../../spec/generated/lifecycles.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import { changedItem, newItem } from './items.ts'
import { plausible, type Birth, type Fields } from './plausible.ts'

/** A new object of the type, plausible where the fields say nothing. It may break the spec if they do. */
export function newObject<Type extends NotifiedType>(
  type: Type,
  fields: Fields,
  birth: Birth,
): ObjectByType[Type] {
  if (type === 'items') return as<Type>(newItem(fields, birth))
  const object = plausible(type, fields, birth)
  return as<Type>({ ...object, ...dependents(type, { ...object, ...fields }, fields), ...fields })
}

/**
 * The object with these fields changed and what depends on them brought along; the same object if nothing changes.
 * Reading: no-op-update
 */
export function changedObject<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
  { fields, now }: { readonly fields: Fields; readonly now: string },
): ObjectByType[Type] {
  if (type === 'items') return as<Type>(changedItem(as<'items'>(object), fields, now))
  const changed: object = { ...object, ...dependents(type, { ...object, ...fields }, fields), ...fields }
  if (JSON.stringify(changed) === JSON.stringify(object)) return object
  return as<Type>('updated_at' in changed ? { ...changed, updated_at: now } : changed)
}

const STATUS: Readonly<Record<string, { readonly code: number }>> =
  LIFECYCLES.objects.batch_transactions.states
const PAYOUT: Readonly<Record<string, { readonly with: string }>> = LIFECYCLES.objects.disbursements.states

/** What follows from a state, or from a part of a name. */
function dependents(type: NotifiedType, whole: Fields, given: Fields): Fields {
  const { state, first_name, last_name } = whole
  const key = typeof state === 'string' ? state : ''
  // Source: §3. Reading: batch-codes
  if (type === 'batch_transactions' && Object.hasOwn(STATUS, key)) return { status: STATUS[key]?.code }
  if (type === 'disbursements' && Object.hasOwn(PAYOUT, key)) {
    // The partner's id is set once the payout is successful. Source: §2.8
    const partner =
      key === 'successful' ? (whole['partner_payment_transaction_id'] ?? partnerId(whole)) : null
    return { npp_payout_state: PAYOUT[key]?.with, partner_payment_transaction_id: partner }
  }
  if (type !== 'users' || !('first_name' in given || 'last_name' in given)) return {}
  return { full_name: [first_name, last_name].filter((name) => typeof name === 'string').join(' ') }
}

function partnerId({ id }: Fields): string {
  return `PPT-${String(id).replaceAll(/\D/g, '').slice(0, 6).padEnd(6, '0')}`
}

/** Tells the compiler which type of the union an object is of, where the code has just decided it. */
function as<Type extends NotifiedType>(object: object): ObjectByType[Type] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above; every object is validated before it is stored
  return object as ObjectByType[Type]
}
