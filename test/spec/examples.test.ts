import { expect, test } from 'vitest'
import { readDocument } from '../../spec/document.ts'
import { EXAMPLES } from '../../spec/generated/examples.ts'
import { LIFECYCLES } from '../../spec/generated/lifecycles.ts'
import type { PaymentNotification, PaymentRow } from '../../spec/payments.ts'
import { NOTIFICATIONS } from '../../spec/generated/notifications.ts'
import { deref, refName, type JsonSchema } from '../../spec/json-schema.ts'
import type { KindRow, NotificationRow } from '../../spec/rows.ts'

const { schemas } = readDocument('openapi.yaml')

/** Each example body with its object and the schema of its kind. */
const goldens = EXAMPLES.map(({ name, type, body }) => {
  const row = NOTIFICATIONS[type]
  const object: unknown = row.wrapped ? at(body, type) : body
  return { name, type, body, object, schema: kindOf(row, object) ?? (row.wrapped ? row.object : row.schema) }
})

/** Returns the value at a path such as `related.transactions[0].id`. */
function at(value: unknown, path: string): unknown {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '')
  return keys.reduce<unknown>(
    (node, key) => (typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined),
    value,
  )
}

function kindOf({ kinds }: NotificationRow, object: unknown): string | undefined {
  const telling = new Set(kinds.flatMap(({ nulls }) => nulls))
  const nulls = [...telling].filter((field) => at(object, field) === null)
  const agrees = ([field, value]: readonly [string, string]) => at(object, field) === value
  const fits = (kind: KindRow) => Object.entries(kind.constants).every(agrees)
  return kinds.find((kind) => fits(kind) && nulls.join() === kind.nulls.join())?.schema
}

const ofType = (wanted: string) => goldens.filter(({ type }) => type === wanted)
const named = (wanted: string) => goldens.find(({ name }) => name === wanted)?.object
const texts = (...values: readonly unknown[]) => values.filter((value) => typeof value === 'string')
const stateOf = (object: unknown) => at(object, 'state') ?? at(object, 'verification_state')
const schemaNamed = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

function choices(place: string, schema: JsonSchema): string[] {
  const { type, enum: values = [], properties = {}, items, required = [] } = deref(schema, schemas)
  return [
    ...(Array.isArray(type) && type.includes('null') ? [`${place} null`, `${place} set`] : []),
    ...values.map((value) => `${place} = ${JSON.stringify(value)}`),
    ...(items ? choices(placeOf(`${place}[]`, items), items) : []),
    ...Object.entries(properties).flatMap(([field, child]) => [
      ...(required.includes(field) ? [] : [`${place}.${field} absent`, `${place}.${field} present`]),
      ...choices(placeOf(`${place}.${field}`, child), child),
    ]),
  ]
}

function chosen(place: string, schema: JsonSchema, value: unknown): string[] {
  const { properties = {}, items = {} } = deref(schema, schemas)
  const elements: readonly unknown[] = Array.isArray(value) ? value : []
  return [
    `${place} ${value === null ? 'null' : 'set'}`,
    `${place} = ${JSON.stringify(value)}`,
    ...elements.flatMap((element) => chosen(placeOf(`${place}[]`, items), items, element)),
    ...Object.entries(properties).flatMap(([field, child]) => {
      const [path, inner] = [`${place}.${field}`, at(value, field)]
      if (inner === undefined) return [`${path} absent`]
      return [`${path} present`, ...chosen(placeOf(path, child), child, inner)]
    }),
  ]
}

/** Returns the schema or path that defines a field. A shared schema counts once, unless it is a simple type such as a link. */
function placeOf(path: string, schema: JsonSchema): string {
  const { properties, enum: values } = deref(schema, schemas)
  return properties || values ? (refName(schema) ?? path) : path
}

function formOf(id: string): string {
  if (/^\d+$/.test(id)) return 'number'
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) ? 'UUID' : 'text'
}

const coverage = [
  {
    what: 'type, kind and state',
    wanted: Object.entries<NotificationRow>(NOTIFICATIONS).flatMap(([type, { kinds }]) => {
      const states = type === 'virtual_accounts' ? {} : (at(LIFECYCLES.objects, `${type}.states`) ?? {})
      const ofKinds = kinds.flatMap((kind) => kind.states.map((state) => `${kind.schema} ${state}`))
      return [type, ...Object.keys(states).map((state) => `${type} ${state}`), ...ofKinds]
    }),
    seen: goldens.flatMap(({ type, object, schema }) => [
      type,
      ...[type, schema].map((owner) => `${owner} ${String(stateOf(object))}`),
    ]),
  },
  {
    what: 'alternative in a schema',
    wanted: goldens.flatMap(({ schema }) => choices(schema, schemaNamed(schema))),
    seen: [
      ...goldens.flatMap(({ schema, object }) => chosen(schema, schemaNamed(schema), object)),
      // No documented payment has a related transaction of a wallet account. Source: §2.4
      'RelatedTransaction.account_type = "wallet_account"',
    ],
  },
  {
    what: 'verification state of users, held or not held',
    wanted: Object.keys(LIFECYCLES.objects.users.states).flatMap((state) => [
      `${state} held`,
      `${state} free`,
    ]),
    seen: ofType('users').map(
      ({ object }) => `${String(stateOf(object))} ${at(object, 'held_state') === true ? 'held' : 'free'}`,
    ),
  },
  {
    // Source: the reading `account-codes`
    what: 'kind of account',
    wanted: ['9100', '9200', '9700'],
    seen: ofType('accounts').map(({ object }) => String(at(object, 'account_type_id'))),
  },
  {
    // Source: §2.3 of the service's document
    what: 'format of a user ID',
    wanted: ['users', 'transactions', 'batch_transactions'].flatMap((type) =>
      ['UUID', 'number', 'text'].map((form) => `${type} ${form}`),
    ),
    seen: goldens.flatMap(({ type, object }) =>
      texts(at(object, 'user_id') ?? at(object, 'id')).map((id) => `${type} ${formOf(id)}`),
    ),
  },
  {
    // Source: §6.3 of the service's document
    what: 'kind of UTC offset',
    wanted: ['+12:00', '+00:00', '-03:30'],
    seen: texts(...ofType('virtual_accounts').map(({ object }) => at(object, 'updatedAt'))).map((time) =>
      time.slice(-6),
    ),
  },
]

test.each(coverage)('every $what has a golden body', ({ wanted, seen }) => {
  const covered = new Set(seen)

  expect([...new Set(wanted)].filter((choice) => !covered.has(choice))).toEqual([])
})

test.each(ofType('items'))('the amounts of $name add up, and its users have golden bodies', ({ object }) => {
  const number = (field: string) => Number(at(object, field))

  expect(number('net_amount')).toBe(number('amount') - number('seller_fees'))
  expect(number('total_amount')).toBe(number('amount') + number('buyer_fees'))
  expect(number('total_outstanding')).toBeLessThanOrEqual(number('total_amount'))
  for (const role of ['buyer', 'seller']) {
    const user = ofType('users').find(
      (golden) => at(golden.object, 'id') === at(object, `related.${role}s`),
    )?.object
    const known = ['full_name', 'email', 'location'].map((field) => at(user, field))
    expect(['name', 'email', 'country'].map((field) => at(object, `${role}_${field}`))).toEqual(known)
  }
})

test.each([...ofType('transactions'), ...ofType('batch_transactions')])(
  'each item and each wallet of $name has a golden body',
  ({ object }) => {
    const sides = [object, at(object, 'related.account_to'), at(object, 'related.transactions[0]')]
    const accountIds = ofType('accounts').flatMap((golden) => [
      at(golden.object, 'uuid'),
      String(at(golden.object, 'id')),
    ])

    for (const side of sides) {
      const id = at(side, 'account_id') ?? at(side, 'id')
      const kind = at(side, 'account_type')
      const item = ofType('items').find((golden) => at(golden.object, 'id') === id)?.object
      const [buyer, total] = [at(item, 'related.buyers'), at(item, 'total_amount')]
      if (kind === 'item') expect([at(side, 'user_id'), at(object, 'amount')]).toEqual([buyer, total])
      if (kind === 'wallet_account' || kind === 9700) expect(accountIds).toContain(id)
    }
  },
)

/** Example objects that payments refer to, by role. */
const PARTIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'card-payin': {
    item: named('items-payment-deposited'),
    buyer: named('users-approved-held-numeric-id'),
    card_account: named('accounts-card'),
    wallet_account: named('accounts-wallet'),
  },
  'direct-debit-payin': {
    item: named('items-payment-pending'),
    bank_account: named('accounts-bank-of-buyer'),
  },
}

const stories = Object.entries<PaymentRow>(LIFECYCLES.payments).flatMap(
  ([payment, { outcomes, notifications }]) =>
    outcomes.map((outcome) => ({
      payment,
      outcome,
      steps: notifications
        .flat()
        .map((notification) => ({ ...notification, golden: goldenOf(notification, outcome) })),
    })),
)

function goldenOf({ object: of, type, type_method, state }: PaymentNotification, outcome: string): unknown {
  const known = Object.entries({ type, type_method, state: state === 'outcome' ? outcome : state })
  const fits = (object: unknown) =>
    known.every(([field, value]) => at(object, field) === undefined || at(object, field) === value)
  // Excludes bodies whose nullable fields are all null, because they belong to other payments.
  return ofType(of).find(({ name, object }) => !name.endsWith('-nulls') && fits(object))?.object
}

/** Resolves a reference such as `item.id`. Returns other text unchanged. */
function meant(said: string, parties: object): unknown {
  const party = /^(\w+)\.id$/.exec(said)?.[1]
  const owner = at(parties, party ?? '')
  return party === undefined ? said : (at(owner, 'uuid') ?? at(owner, 'id'))
}

const CHANGING = new Set([
  'state',
  'status',
  'npp_payout_state',
  'partner_payment_transaction_id',
  'updated_at',
])

test.each(stories)('the golden bodies of $payment $outcome belong to one payment', ({ payment, steps }) => {
  const kept = ({ golden }: { readonly golden: unknown }) =>
    Object.fromEntries(Object.entries(Object(golden)).filter(([field]) => !CHANGING.has(field)))
  const times = texts(...steps.map(({ golden }) => at(golden, 'updated_at')))

  expect(times).toEqual(times.toSorted((one, other) => (one < other ? -1 : 1)))
  for (const field of ['amount', 'currency', 'user_id'])
    expect(new Set(steps.map(({ golden }) => at(golden, field))).size, field).toBe(1)
  for (const step of steps) {
    const first = steps.find(({ object, type }) => object === step.object && type === step.type) ?? step
    expect(step.golden).toBeDefined()
    expect(kept(step)).toEqual(kept(first))
    for (const [path, said] of Object.entries(step.sets ?? {}))
      expect(at(step.golden, path), path).toBe(meant(said, { ...PARTIES[payment], self: step.golden }))
  }
})
