import { EXAMPLES } from '../../../spec/generated/examples.ts'
import type { BatchTransaction, Transaction, VirtualAccount } from '../../../spec/generated/service-types.ts'
import { objectIds } from '../../../spec/models.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import { drawDigits, type NewObjectDefaults, type ObjectFields, sixDigitsFor } from './draws.ts'
import { itemFixture } from './items.ts'
import { payinForm } from './npp-payins.ts'
import { addressFields, drawCompany, drawPerson } from './people.ts'

export const FIXTURES: {
  readonly [Type in NotifiedType]: (fields: ObjectFields, defaults: NewObjectDefaults) => ObjectByType[Type]
} = {
  items: (_, defaults) => itemFixture(defaults),
  users: (fields, defaults) => ({
    ...renew('users', findMostSimilar(users, fields), defaults),
    ...drawPerson(defaults.newId),
    related: { addresses: defaults.newId(), payout_account: null },
  }),
  accounts: (fields, defaults) => ({
    ...renew('accounts', findMostSimilar(accounts, fields), defaults),
    legal_entity_id: sixDigitsFor(defaults.id),
  }),
  companies: (fields, defaults) => ({
    ...renew('companies', findMostSimilar(companies, fields), defaults),
    ...drawCompany(defaults.id),
  }),
  transactions: (fields, defaults) =>
    withDrawnDescriptor(renew('transactions', findMostSimilar(transactionsOfForm(fields), fields), defaults)),
  batch_transactions: (fields, defaults) =>
    withDrawnBatch(
      withDrawnReferences(renew('batch_transactions', findMostSimilar(batches, fields), defaults), defaults),
      defaults,
    ),
  disbursements: (fields, defaults) =>
    withDrawnBatch(renew('disbursements', findMostSimilar(disbursements, fields), defaults), defaults),
  virtual_accounts: (_, defaults) => ({
    ...renew('virtual_accounts', VIRTUAL_ACCOUNT, defaults),
    account_number: `100${sixDigitsFor(defaults.id)}`,
  }),
}

// Excludes golden bodies (the example bodies of the spec) in which all nullable fields are null, because they are unusual.
const usual = EXAMPLES.filter(({ name }) => !name.endsWith('-nulls'))
const users = usual.flatMap(({ type, body }) => (type === 'users' ? [body.users] : []))
const accounts = usual.flatMap(({ type, body }) => (type === 'accounts' ? [body.accounts] : []))
const companies = usual.flatMap(({ type, body }) => (type === 'companies' ? [body.companies] : []))
const transactions = usual.flatMap(({ type, body }) => (type === 'transactions' ? [body.transactions] : []))
const batches = usual.flatMap(({ type, body }) =>
  type === 'batch_transactions' ? [body.batch_transactions] : [],
)
const disbursements = usual.flatMap(({ type, body }) =>
  type === 'disbursements' ? [body.disbursements] : [],
)

/** Returns the golden transactions. Excludes NPP pay-ins whose form differs from the form of the given details. Source: §2.4 */
function transactionsOfForm({ payin_details }: ObjectFields) {
  const form = payinForm(payin_details)
  return transactions.filter(
    (golden) => golden.type_method !== 'npp_payin' || payinForm(golden.payin_details) === form,
  )
}

const REFERENCES: { readonly [Kind in BatchTransaction['type']]: string } = {
  disbursement: 'Payout',
  payment: 'Invoice',
  payment_funding: 'Settlement',
  bpay: 'BPAY',
}

function withDrawnReferences(batch: BatchTransaction, { newId }: NewObjectDefaults): BatchTransaction {
  const digits = drawDigits(30, newId)
  const { partner_payment_transaction_id: partner } = batch
  return {
    ...batch,
    deposit_reference: digits.slice(0, 10),
    reference: `${REFERENCES[batch.type]} ${digits.slice(10, 16)}`,
    partner_payment_transaction_id: partner === null ? null : `PPT-${digits.slice(16, 22)}`,
    ...('address_line1' in batch && addressFields(digits.slice(22))),
  }
}

/** Adds the batch number to a payment. Source: §2.7, §2.8 */
function withDrawnBatch<Sent extends { batch_id: number | null }>(
  sent: Sent,
  { id }: NewObjectDefaults,
): Sent {
  return sent.batch_id === null ? sent : { ...sent, batch_id: sixDigitsFor(`batch ${id}`) }
}

/** Adds the descriptor, which the payee reads on a statement. A null descriptor stays null. Source: §2.4 */
function withDrawnDescriptor(transaction: Transaction): Transaction {
  return 'dynamic_descriptor' in transaction && transaction.dynamic_descriptor !== null
    ? { ...transaction, dynamic_descriptor: `PAYOUT ${sixDigitsFor(transaction.id)}` }
    : transaction
}

/** The Show response of a virtual account. Notifications never contain this response. Reading: virtual-account-show */
const VIRTUAL_ACCOUNT: VirtualAccount = {
  id: '9fc8c651-1a1d-47c4-b0c2-1f724601ecf4',
  routing_number: '000999',
  account_number: '100000017',
  currency: 'AUD',
  wallet_account_id: '6384e0b3-7b55-4bcb-91f1-20682cc85dc0',
  user_external_id: 'e604d5d0-fe71-4af2-aa41-bd872deb0f7d',
  status: 'pending_activation',
  created_at: '2026-01-05T09:00:00.000Z',
  updated_at: '2026-01-05T09:00:00.000Z',
  account_type: 'NIND',
  full_legal_account_name: 'Samuel Seed',
  account_name: 'Samuel Seed',
  aka_names: ['Seed Frames'],
  merchant_id: null,
}

function renew<Type extends NotifiedType>(
  type: Type,
  golden: ObjectByType[Type],
  { id, number, now }: NewObjectDefaults,
): ObjectByType[Type] {
  const [goldenId = ''] = objectIds(type, golden)
  const goldenNumber: unknown = Reflect.get(golden, 'id')
  const parts = partsByGolden.get(golden) ?? JSON.stringify(golden).split(goldenId)
  partsByGolden.set(golden, parts)
  // Escapes the id for JSON.
  const text = parts.join(JSON.stringify(id).slice(1, -1))
  const renewed = typeof goldenNumber === 'number' ? { golden: goldenNumber, own: number() } : undefined
  const object: ObjectByType[Type] = JSON.parse(
    renewed ? text.replaceAll(`/${renewed.golden}`, `/${renewed.own}`) : text,
  )
  return {
    ...object,
    ...(renewed && { id: renewed.own }),
    ...('created_at' in object && { created_at: now }),
    ...('updated_at' in object && { updated_at: now }),
  }
}

const partsByGolden = new WeakMap<object, readonly string[]>()

const KIND_FIELDS = ['type', 'type_method', 'state', 'account_type_id', 'verification_state'] as const

function findMostSimilar<Golden extends object>(objects: readonly Golden[], fields: ObjectFields): Golden {
  const wanted = KIND_FIELDS.filter((field) => fields[field] !== undefined)
  const agrees = (object: Golden, names: readonly string[]) =>
    names.every((field) => Reflect.get(object, field) === fields[field])
  const kind = wanted.filter((field) => field.startsWith('type'))
  // If no golden object has the given value, uses a similar object. The validator rejects the value later.
  const similar =
    objects.find((object) => agrees(object, wanted)) ??
    objects.find((object) => agrees(object, kind)) ??
    objects[0]
  if (!similar) throw new Error('Cannot create an object: no golden body exists for its type')
  return similar
}
