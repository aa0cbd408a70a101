import { LIFECYCLES } from '../../../spec/generated/lifecycles.ts'
import { MODELS } from '../../../spec/generated/models.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import { type NewObjectDefaults, type ObjectFields, sixDigitsFor, uuidFor } from './draws.ts'
import { FIXTURES } from './fixtures.ts'
import { deriveItemFields } from './items.ts'
import { completePayinDetails } from './npp-payins.ts'
import { firstState } from './transitions.ts'

/** Creates an object of this type, with realistic random values for missing fields. Does not validate the given fields. */
export function newObject<Type extends NotifiedType>(
  type: Type,
  fields: ObjectFields,
  defaults: NewObjectDefaults,
): ObjectByType[Type] {
  const given = { ...firstStateFields(type, fields, defaults), ...fields }
  const example = withFields(type, FIXTURES[type](given, defaults), given)
  return { ...example, ...neededFields({ ...example }, given, defaults) }
}

function neededFields(example: ObjectFields, given: ObjectFields, defaults: NewObjectDefaults): ObjectFields {
  const { payin_details } = given
  return {
    ...(!Object.hasOwn(given, 'marketplace') && marketplaceFields(example)),
    ...(example['type_method'] === 'npp_payin' && {
      payin_details: completePayinDetails({ ...example, payin_details }, defaults),
    }),
  }
}

/** Returns the fields that set the first state of this kind of object. Empty if the caller sets a state. Source: §3 */
function firstStateFields(
  type: NotifiedType,
  fields: ObjectFields,
  defaults: NewObjectDefaults,
): ObjectFields {
  const { state: field } = MODELS[type]
  if (field === null || Object.hasOwn(fields, field)) return {}
  const state = firstState<NotifiedType>(type, () =>
    withFields<NotifiedType>(type, FIXTURES[type](fields, defaults), fields),
  )
  return state === undefined ? {} : { [field]: state }
}

/** Changes the given and all dependent fields. Returns the original object if nothing changes. Reading: no-op-update */
export function changeFields<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
  { fields, now }: { readonly fields: ObjectFields; readonly now: string },
): ObjectByType[Type] {
  const after = withFields(type, object, fields)
  if (JSON.stringify(after) === JSON.stringify(object)) return object
  return 'updated_at' in after ? { ...after, updated_at: now } : after
}

function withFields<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
  fields: ObjectFields,
): ObjectByType[Type] {
  return { ...object, ...DERIVED_FIELDS[type](object, fields), ...fields }
}

const deriveNothing = (): ObjectFields => ({})

const DERIVED_FIELDS: {
  readonly [Type in NotifiedType]: (object: ObjectByType[Type], fields: ObjectFields) => ObjectFields
} = {
  items: deriveItemFields,
  users: deriveFullName,
  accounts: deriveNothing,
  companies: deriveNothing,
  transactions: deriveNothing,
  batch_transactions: deriveStatusCode,
  disbursements: derivePayoutState,
  virtual_accounts: deriveNothing,
}

function deriveFullName(user: object, fields: ObjectFields): ObjectFields {
  if (!('first_name' in fields || 'last_name' in fields)) return {}
  const { first_name, last_name }: ObjectFields = { ...user, ...fields }
  return { full_name: [first_name, last_name].filter((name) => typeof name === 'string').join(' ') }
}

const BATCH_STATES: Readonly<Record<string, { readonly code: number }>> =
  LIFECYCLES.objects.batch_transactions.states

/** Returns the status code of the state and, after success, the partner's payment id. Source: §3, §2.7. Reading: batch-codes */
function deriveStatusCode(batch: object, fields: ObjectFields): ObjectFields {
  const { id, state, partner_payment_transaction_id: known }: ObjectFields = { ...batch, ...fields }
  if (typeof state !== 'string' || !Object.hasOwn(BATCH_STATES, state)) return {}
  const isPaid = state === 'successful' && fields['state'] !== undefined
  return {
    status: BATCH_STATES[state]?.code,
    ...(isPaid && { partner_payment_transaction_id: known ?? partnerId(id) }),
  }
}

const partnerId = (id: unknown) => `PPT-${sixDigitsFor(String(id))}`

const PAYOUT_STATES: Readonly<Record<string, { readonly with: string }>> =
  LIFECYCLES.objects.disbursements.states

/** Sets the partner's payment id when a payout succeeds. Source: §2.8 */
function derivePayoutState(disbursement: object, fields: ObjectFields): ObjectFields {
  const { id, state, partner_payment_transaction_id: known }: ObjectFields = { ...disbursement, ...fields }
  if (typeof state !== 'string' || !Object.hasOwn(PAYOUT_STATES, state)) return {}
  return {
    npp_payout_state: PAYOUT_STATES[state]?.with,
    partner_payment_transaction_id: state === 'successful' ? (known ?? partnerId(id)) : null,
  }
}

const PLACES = 'Banksia Canopy Dockside Estuary Foundry Gable Harbour Jetty Lantern Quarry'.split(' ')

/** Returns the marketplace fields of the user, which are equal in all objects of the user. Null fields stay null. Source: §2.4, §2.7 */
function marketplaceFields({ marketplace: example, user_id }: ObjectFields): ObjectFields {
  if (typeof example !== 'object' || example === null || typeof user_id !== 'string') return {}
  const digits = String(sixDigitsFor(`marketplace ${user_id}`))
  const place = PLACES[Number(digits.at(-1))] ?? ''
  const drawn: ObjectFields = {
    group_name: `${place} Group`,
    name: `${place} Market ${digits.slice(0, 4)}`,
    short_name: `${place.slice(0, 2).toUpperCase()}${digits.slice(0, 4)}`,
    account_details: `BSB 999${digits.slice(0, 3)}, account ending ${digits.slice(3)}`,
  }
  const filled = Object.entries(example).map(([field, value]: [string, unknown]) => {
    const own = drawn[field]
    return [field, value === null || own === undefined ? value : own] as const
  })
  return { marketplace: { ...Object.fromEntries(filled), uuid: uuidFor(`marketplace ${user_id}`) } }
}
