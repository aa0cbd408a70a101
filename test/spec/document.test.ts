import { runInNewContext } from 'node:vm'
import { sample } from 'fast-check'
import { expect, test } from 'vitest'
import { notificationsOf } from '../../spec/arbitraries.ts'
import { examples } from '../../spec/examples.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import { paymentForms, paymentKinds, paymentOutcomes } from '../../spec/payments.ts'
import { parseNotification } from '../../spec/parse-notification.ts'
import {
  BATCH_CODES,
  ITEM_CODES,
  PAYOUT_STATES,
  problemsOf,
  VARIANTS,
  variantOf,
} from './document-problems.ts'
import { platform } from '../support/platform.ts'
import type { BatchTransaction, Notification, Transaction } from '../../spec/types.ts'
import { readPackageFile } from '../../spec/package-files.ts'
import { errorMessage, isError } from '../../spec/errors.ts'

// Random bodies, examples and sent bodies agree with the document, and contradictory bodies are rejected.

test.each(notifiedTypes)('500 generated bodies of %s match the service document', (type) => {
  const bodies = sample<object>(notificationsOf(type), { numRuns: 500 })
  const variants = new Set(bodies.map((body) => variantOf(type, body)))

  expect(bodies.flatMap((body) => problemsOf(type, body).map((problem) => ({ problem, body })))).toEqual([])
  expect([...variants].toSorted()).toEqual((VARIANTS[type] ?? ['']).toSorted())
})

test.each(examples)('the golden body $name matches the service document', ({ type, body }) => {
  expect(problemsOf(type, body)).toEqual([])
})

const plays = paymentKinds.flatMap((kind) =>
  paymentOutcomes(kind).flatMap((outcome) => [
    { kind, outcome },
    ...paymentForms(kind).map((via) => ({ kind, outcome, via })),
  ]),
)

test.each(plays)('every notification of %j matches the service document', async (play) => {
  const sandbox = await platform({ 'accompanying-notifications': 'all' })

  await sandbox.control('POST', '/payments', play)
  await sandbox.idle()

  const sent: object[] = sandbox.bodies()
  const problems = sent.flatMap((body) => {
    const [type = ''] = Object.keys(body).length === 1 ? Object.keys(body) : ['virtual_accounts']
    return problemsOf(type, body).map((problem) => ({ problem, body }))
  })
  expect(problems).toEqual([])
  expect(sent.length).toBeGreaterThan(0)
})

const changed = (type: string, body: object, fields: object) => ({
  [type]: { ...Object(Reflect.get(body, type)), ...fields },
})

const PAIRS = [
  ['items', 'status', ITEM_CODES],
  ['batch_transactions', 'status', BATCH_CODES],
  ['disbursements', 'npp_payout_state', PAYOUT_STATES],
] as const

test.each(PAIRS)(
  'a body of %s with the %s of another state is rejected, and the error names both values',
  (type, field, valueByState) => {
    const bodies = examples.flatMap((golden) => (golden.type === type ? [golden.body] : []))
    const refused = bodies.flatMap((body) => {
      const state = String(Reflect.get(Object(Reflect.get(body, type)), 'state'))
      const others = Object.values(valueByState).filter((value) => value !== valueByState[state])
      return others.map((value) => [
        parseNotification(changed(type, body, { [field]: value })),
        `is ${JSON.stringify(value)}, not ${JSON.stringify(valueByState[state])} where "state" is "${state}"`,
      ])
    })

    expect(refused.map(([parsed]) => parsed)).toEqual(
      refused.map(([, message]) => ({ ok: false, errors: [{ pointer: `/${type}/${field}`, message }] })),
    )
    expect(refused.length).toBeGreaterThanOrEqual(bodies.length * 2)
  },
)

const wrapped = examples.filter(({ type, body }) => {
  const links: unknown = Reflect.get(Object(Reflect.get(body, type)), 'links')
  return typeof Reflect.get(Object(links), 'self') === 'string'
})

test.each(wrapped)('the golden body $name cannot have the self link of another object', ({ type, body }) => {
  const object: object = Object(Reflect.get(body, type))
  const links = { ...Object(Reflect.get(object, 'links')), self: `/${type}/4c1a` }

  expect(parseNotification(changed(type, body, { links }))).toEqual({
    ok: false,
    errors: [
      {
        pointer: `/${type}/links/self`,
        message: `is "/${type}/4c1a", not "/${type}/${String(Reflect.get(object, 'id'))}"`,
      },
    ],
  })
})

// The TypeScript compiler checks this file. Each marked line must be a compile error.

const golden = examples.find(({ type }) => type === 'items')?.body

function aboutWrapper(body: Notification): unknown {
  if ('items' in body) return [body.items.state, body.items.related.buyers] satisfies [string, string]
  if ('users' in body) return body.users.verification_state
  if ('accounts' in body) return body.accounts.account_type_id satisfies number
  if ('disbursements' in body)
    return body.disbursements.npp_payout_state satisfies 'trying' | 'successful' | 'failed'
  if ('companies' in body) return body.companies.legal_name
  if ('transactions' in body) return aboutTransaction(body.transactions)
  if ('batch_transactions' in body) return aboutBatchTransaction(body.batch_transactions)
  if ('bank_accounts' in body) return body.bank_accounts.active satisfies boolean
  // @ts-expect-error -- the only remaining body has no wrapper
  void body.virtual_accounts
  return body.link satisfies string
}

function aboutTransaction(transaction: Transaction): unknown {
  // @ts-expect-error -- not every kind has a user's name
  void transaction.user_name
  if (transaction.type === 'disbursement') return transaction.dynamic_descriptor satisfies string | null
  // @ts-expect-error -- deposits and payments have no descriptor
  void transaction.dynamic_descriptor
  if (transaction.type_method === 'npp_payin') {
    if (transaction.payin_details === null) return transaction.links.supplementary_data satisfies string
    return transaction.payin_details.pay_id_type satisfies '/EMAL' | '/TELI' | '/AUBN' | '/ORGN' | null
  }
  // @ts-expect-error -- only NPP pay-ins have details
  void transaction.payin_details
  if (transaction.type_method === 'credit_card') return transaction.account_type satisfies 'item'
  return transaction.user_name satisfies string
}

function aboutBatchTransaction(batch: BatchTransaction): unknown {
  if (batch.type === 'disbursement' && batch.type_method === 'bpay') {
    return [batch.id, batch.uuid] satisfies [number, string]
  }
  // @ts-expect-error -- only the extended form has a uuid
  void batch.uuid
  if (batch.type === 'payment') return batch.state satisfies string
  // @ts-expect-error -- only a direct debit can have this state
  void (batch.state === 'failed_direct_debit')
  return batch.id satisfies string
}

test('TypeScript narrows the type of a notification by its fields', () => {
  for (const { body } of examples) expect(aboutWrapper(body)).toBeDefined()
})

test('TypeScript narrows a parsed notification by its type', () => {
  const parsed = parseNotification(golden)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))

  if (parsed.type === 'items') {
    expect(parsed.notification.items.amount).toBeTypeOf('number')
    return
  }
  // @ts-expect-error -- items were handled above
  void parsed.notification.items
  if (parsed.type === 'virtual_accounts') expect(parsed.notification.link).toBeTypeOf('string')
})

test('the TypeScript types of a tolerant reader include unknown states', () => {
  const parsed = parseNotification(golden, { tolerant: true })

  if (parsed.ok && parsed.type === 'items') {
    const { state } = parsed.notification.items
    // @ts-expect-error -- the state may be any text
    void (state satisfies 'pending' | 'completed')
    expect(state).toBeTypeOf('string')
  }
})

test('readPackageFile() reads a file by its path inside the package', () => {
  expect(readPackageFile('spec/generated/openapi.json')).toMatch(/^\{\s+"openapi": "3/)
})

test('readPackageFile() returns undefined for a file outside the package', () => {
  expect(readPackageFile('spec/generated/openapi.toml')).toBeUndefined()
})

test.each(['new Error("lost")', 'new TypeError("lost")', 'new AggregateError([], "lost")'])(
  'isError() returns true for %s of another JavaScript realm',
  (code) => {
    const foreign: unknown = runInNewContext(code)

    expect([foreign instanceof Error, isError(foreign), errorMessage(foreign)]).toEqual([false, true, 'lost'])
  },
)
