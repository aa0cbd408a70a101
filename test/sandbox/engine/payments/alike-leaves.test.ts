import { expect, test } from 'vitest'
import type { NotifiedType } from '../../../../spec/notifications.ts'
import { paymentForms, paymentKinds, paymentOutcomes } from '../../../../spec/payments.ts'
import { platform } from '../../../support/platform.ts'

const PLAYS = 4

const ALIKE: Readonly<Record<string, readonly (readonly [paths: string, why: string])[]>> = {
  transactions: [
    ['type type_method state account_type debit_credit', 'It is the kind of payment. Source: §2.9'],
    ['related.transactions.0.account_type', 'It is the kind of payment. Source: §2.4'],
    ['related.transactions.0.account_id', 'An outside payer has no account here.'],
    ['marketplace.group_name marketplace.short_name', 'Null. Source: §2.4'],
    ['links.npp_payin_transaction_detail payin_details', 'Null but for a PayID or CRN. Source: §2.4'],
    ['payin_details.pay_id payin_details.pay_id_type', 'Null for a CRN. Reading: payin-details'],
    ['currency', 'All payments have one currency.'],
  ],
  batch_transactions: [
    ['type type_method account_type debit_credit', 'It is the kind of payment. Source: §2.9'],
    ['related.account_to.account_type', 'It is the kind of payment. Source: §6.2'],
    ['account_external.account_type_id', 'It is the kind of payment. Source: §2.7'],
    ['state status', 'A settlement has one state. Source: §3'],
    ['batch_id', 'A settlement is in no batch. Reading: settlement-batch'],
    [
      'external_reference reference_amount internal_state internal_status company payout_currency',
      'Null. Source: §2.7',
    ],
    ['marketplace.account_details_encrypted', 'It is always true. Reading: extended-marketplace'],
    ['partner_payment_transaction_id', 'Null: the payment has failed. Source: §2.7'],
    [
      'address_country.id address_country.name address_country.three_code address_country.two_code address_country.currency_id address_country.numeric_code',
      'All users live in one country.',
    ],
    ['currency account_external.currency.code', 'All payments have one currency.'],
  ],
  disbursements: [
    ['to', 'It is the kind of payment. Source: §2.8'],
    ['bank_name', 'It is BPAY. Reading: payout-disbursements'],
    ['partner_payment_transaction_id', 'Null: the payout has failed. Source: §2.8'],
    ['currency', 'All payments have one currency.'],
  ],
  items: [
    ['currency', 'All payments have one currency.'],
    ['buyer_country seller_country', 'All users live in one country.'],
    ['buyer_fees seller_fees credit_card_fee direct_debit_fee extwallet_fee legacy_fee', 'No fees.'],
    [
      'chargedback_amount refunded_amount released_amount requested_release_amount pending_release_amount',
      'The item was not refunded or released.',
    ],
    ['batch_state', 'Null: no batch moves the item.'],
    [
      'custom_descriptor payout_descriptor dynamic_descriptor due_date invoice_url tds_check_state',
      'Null: the value is not given.',
    ],
    ['buyer_url seller_url', 'Empty: the value is not given. Source: §2.5'],
    ['payment_type_id payment_credit_card_enabled payment_direct_debit_enabled', 'The usual value of items.'],
  ],
  accounts: [
    ['currency_id', 'All payments have one currency.'],
    ['account_type_id', 'It is the kind of account. Reading: account-codes'],
    ['amount', 'A new account holds nothing but what it is to pay.'],
    ['links.self', 'Null. Source: §2.8'],
  ],
  users: [
    ['verification_state held_state roles.0', 'A participant of a payment is an approved customer.'],
    ['location', 'All users live in one country.'],
    ['dob government_number', 'A marker hides it. Source: §2.6'],
    ['drivers_license logo_url color_1 color_2 related.payout_account', 'Null: the value is not given.'],
  ],
  virtual_accounts: [['event name', 'It is fixed. Source: §6.3']],
}

function leaves(value: unknown, path: string): readonly (readonly [path: string, value: string])[] {
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`))
}

interface Play {
  readonly kind: string
  readonly outcome: string
  readonly via?: string
}

/** Plays the payment several times, each time at a different clock time. Returns all sent bodies. */
async function playAll(play: Play) {
  const sandbox = await platform({ 'accompanying-notifications': 'all' })
  for (let index = 0; index < PLAYS; index++) {
    await sandbox.control('POST', '/payments', { ...play, amount: 1_000 + index })
    await sandbox.idle()
    await sandbox.control('POST', '/clock/advance', { by: '1s' })
  }
  const bodies = sandbox.bodies().map((body) => {
    const type = 'event' in body ? 'virtual_accounts' : (Object.keys(body)[0] ?? '')
    return { type, object: body[type] ?? body }
  })
  return { sandbox, bodies }
}

/** Returns the leaf fields that have the same value in all plays, as `type path`. */
async function findAlike(play: Play): Promise<readonly string[]> {
  const { bodies } = await playAll(play)
  const values = new Map<string, Set<string>>()
  for (const { type, object } of bodies) {
    for (const [path, value] of leaves(object, '')) {
      const key = [type, object.type ?? object.account_type_id, object.type_method, path].join('|')
      values.set(key, (values.get(key) ?? new Set()).add(value))
    }
  }
  return [...values].flatMap(([key, each]) => {
    const [type = '', , , path = ''] = key.split('|')
    return each.size === 1 ? [`${type} ${path}`] : []
  })
}

const plays: readonly Play[] = paymentKinds.flatMap((kind) =>
  paymentOutcomes(kind).flatMap((outcome) => {
    const forms = paymentForms(kind)
    return forms.length === 0 ? [{ kind, outcome }] : forms.map((via) => ({ kind, outcome, via }))
  }),
)

test('two payments of the same kind have equal values only in the listed fields', async () => {
  const reasons = new Set(
    Object.entries(ALIKE).flatMap(([type, rows]) =>
      rows.flatMap(([paths]) => paths.split(' ').map((path) => `${type} ${path}`)),
    ),
  )
  const found = new Set<string>()

  for (const play of plays) for (const leaf of await findAlike(play)) found.add(leaf)

  expect([...found].filter((leaf) => !reasons.has(leaf))).toEqual([])
  expect([...reasons].filter((leaf) => !found.has(leaf))).toEqual([])
})

/** Fields that refer to an object, and the type of this object. */
const REFERENCES: Readonly<Record<string, NotifiedType>> = {
  user_id: 'users',
  user_external_id: 'users',
  'related.buyers': 'users',
  'related.sellers': 'users',
  'related.transactions.0.user_id': 'users',
  'related.transactions.0.id': 'transactions',
  'related.account_to.user_id': 'users',
}

test('every object that a payment refers to exists', async () => {
  const broken: string[] = []
  let count = 0
  for (const play of plays) {
    const { sandbox, bodies } = await playAll(play)
    const isThere = (type: NotifiedType, id: string) => sandbox.store.object(type, id) !== undefined
    for (const { type, object } of bodies)
      for (const [path, text] of leaves(object, '')) {
        const id: unknown = JSON.parse(text)
        const isAccount = path.endsWith('account_id') || path === 'related.account_to.id'
        if (typeof id !== 'string' || !(isAccount || Object.hasOwn(REFERENCES, path))) continue
        count++
        const types = isAccount ? (['accounts', 'items'] as const) : [REFERENCES[path] ?? 'users']
        if (!types.some((each) => isThere(each, id))) broken.push(`${type} ${path}: ${id}`)
      }
  }

  expect([count > 400, broken]).toEqual([true, []])
})

async function played(kind: string, readings: Record<string, string> = {}) {
  const sandbox = await platform(readings)
  const { body: payment } = await sandbox.control('POST', '/payments', { kind })
  await sandbox.idle()
  const bodies = sandbox.bodies()
  const of = (type: string) => bodies.flatMap((body) => (type in body ? [body[type]] : []))
  const show = async (type: string, id: string) => (await sandbox.call('GET', `/${type}/${id}`)).body[type]
  return { sandbox, payment, of, show }
}

const DEPOSITS_AND_PAYMENTS = [
  'card-payin',
  'bpay-payin',
  'npp-payin',
  'direct-credit-payin',
  'wallet-to-item-transfer',
]

test.each(DEPOSITS_AND_PAYMENTS)(
  'each user name in the transaction of the payment %s belongs to the adjacent user ID',
  async (kind) => {
    const { of, show } = await played(kind)

    const [transaction] = of('transactions')
    const [related] = transaction.related.transactions
    expect(related.user_name).toBe((await show('users', related.user_id)).full_name)
    expect(transaction.user_name).toBe((await show('users', transaction.user_id)).full_name)
  },
)

test.each(['card-payin', 'direct-debit-payin', 'wallet-to-item-transfer'])(
  'the first notification about the item of the payment %s reports the creation of this item',
  async (kind) => {
    const { of } = await played(kind, { 'accompanying-notifications': 'all' })

    const [first, second] = of('items')
    expect([first.state, first.status, first.id]).toEqual(['pending', 22000, second.id])
    expect(second.state).not.toBe('pending')
  },
)
