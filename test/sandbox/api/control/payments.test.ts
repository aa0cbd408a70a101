import { expect, test } from 'vitest'
import { RECEIVER, type TestSandbox, testSandbox } from '../../../support/test-sandbox.ts'

const KIND = 'direct-debit-payin'

function choose({ control }: TestSandbox, kind: string, outcome: unknown) {
  return control('PUT', '/next-outcomes', { kind, outcome })
}

async function chosen({ control }: TestSandbox): Promise<unknown> {
  return (await control('GET', '/next-outcomes')).body.next_outcomes
}

async function played({ control }: TestSandbox, request: object): Promise<string> {
  return (await control('POST', '/payments', request)).body.outcome
}

test('a later outcome of a payment kind replaces the earlier outcome of the same kind', async () => {
  const sandbox = testSandbox()
  await choose(sandbox, KIND, 'invalid_account_details')
  await choose(sandbox, 'realtime-payout', 'cancelled')
  await choose(sandbox, KIND, 'failed_direct_debit')

  expect(await chosen(sandbox)).toEqual([
    { kind: KIND, outcome: 'failed_direct_debit' },
    { kind: 'realtime-payout', outcome: 'cancelled' },
  ])
})

test('the next outcome applies to one payment only, and only if the request names no outcome', async () => {
  const sandbox = testSandbox()
  await choose(sandbox, KIND, 'failed_direct_debit')

  const outcomes = [
    await played(sandbox, { kind: KIND, outcome: 'invalid_account_details' }),
    await played(sandbox, { kind: 'bpay-payout' }),
    await played(sandbox, { kind: KIND }),
    await played(sandbox, { kind: KIND }),
  ]

  expect(outcomes).toEqual(['invalid_account_details', 'successful', 'failed_direct_debit', 'successful'])
})

test('a rejected payment does not use up the chosen outcome', async () => {
  const sandbox = testSandbox()
  await choose(sandbox, KIND, 'failed_direct_debit')

  const refused = await sandbox.control('POST', '/payments', { kind: KIND, item: 'nothing' })

  expect([refused.status, await chosen(sandbox)]).toEqual([
    404,
    [{ kind: KIND, outcome: 'failed_direct_debit' }],
  ])
})

test('a chosen outcome can be cleared for one payment kind, for all payment kinds or by a reset', async () => {
  const sandbox = testSandbox()
  const chooseBoth = async () => {
    await choose(sandbox, KIND, 'failed_direct_debit')
    await choose(sandbox, 'bpay-payout', 'invalid_account_details')
  }
  const debit = { kind: KIND, outcome: 'failed_direct_debit' }
  const bill = { kind: 'bpay-payout', outcome: 'invalid_account_details' }

  await chooseBoth()
  const one = await sandbox.control('DELETE', `/next-outcomes?kind=${KIND}`)
  const again = await sandbox.control('DELETE', `/next-outcomes?kind=${KIND}`)
  const left = await chosen(sandbox)
  const all = await sandbox.control('DELETE', '/next-outcomes')
  const none = await chosen(sandbox)
  await chooseBoth()
  await sandbox.control('POST', '/reset')

  expect([one.body.next_outcomes, again.body.next_outcomes, left]).toEqual([[debit], [], [bill]])
  expect([all.body.next_outcomes, none, await chosen(sandbox)]).toEqual([[bill], [], []])
})

test.each([
  ['lottery', 'won', 'kind', 'Cannot decide the next "lottery": the kinds are direct-credit-payout, '],
  [
    KIND,
    'lost',
    'outcome',
    `the outcome must be successful or invalid_account_details or failed_direct_debit`,
  ],
  [KIND, undefined, 'outcome', 'outcome'],
])('the outcome %s "%s" is rejected with the valid outcomes', async (kind, outcome, ...[field, why]) => {
  const sandbox = testSandbox()

  const { status, body } = await choose(sandbox, kind, outcome)

  expect(status).toBe(422)
  expect(body.error).toEqual(
    expect.objectContaining({ field, message: expect.stringContaining(String(why)) }),
  )
  expect(await chosen(sandbox)).toEqual([])
})

const PAYOUT = { type: 'disbursement', type_method: 'direct_credit' }

test.each([
  [
    'items',
    { state: 'refunded' },
    { status: 22500 },
    'status',
    'where "state" is "refunded": it takes 22600',
  ],
  ['disbursements', {}, { npp_payout_state: 'failed' }, 'npp_payout_state', 'takes "trying"'],
] as const)('%s with %j reject the change %j', async (...[type, fields, change, field, message]) => {
  const sandbox = testSandbox()
  await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: type })
  const { body: made } = await sandbox.control('POST', `/objects/${type}`, fields)

  const { status, body } = await sandbox.control('PATCH', `/objects/${type}/${made.id}`, change)

  expect([status, body.error]).toEqual([
    422,
    {
      code: 'invalid',
      field,
      message: expect.stringContaining(message),
      hint: 'change "state", and the dependent fields follow',
    },
  ])
  const { body: after } = await sandbox.control('GET', `/objects/${type}/${made.id}`)
  expect([after.revision, after.object, sandbox.store.jobs().length]).toEqual([1, made.object, 1])
})

test.each([
  ['items', { status: 22000 }],
  ['batch_transactions', { status: 12710 }],
  ['disbursements', { npp_payout_state: 'trying' }],
])('%s keep their revision when %j changes no value', async (type, change) => {
  const { control } = testSandbox()
  const { body } = await control('POST', `/objects/${type}`, {})

  expect(await control('PATCH', `/objects/${type}/${body.id}`, change)).toMatchObject({
    status: 200,
    body: { revision: 1, object: body.object },
  })
})

test.each([
  ['items', { state: 'refunded', status: 22000 }, 'status'],
  ['items', { amount: -1 }, 'amount'],
  ['batch_transactions', { ...PAYOUT, state: 'batched', status: 12000 }, 'status'],
  ['disbursements', { state: 'cancelled', npp_payout_state: 'successful' }, 'npp_payout_state'],
])('%s with %j are rejected', async (type, fields, field) => {
  const { control } = testSandbox()

  const { status, body } = await control('POST', `/objects/${type}`, fields)

  expect([status, body.error.field]).toEqual([422, field])
})

test.each(['items', 'users', 'companies', 'transactions', 'batch_transactions'])(
  'the self link of %s accepts only null or the path of the object',
  async (type) => {
    const { control } = testSandbox()
    const { body } = await control('POST', `/objects/${type}`, {})
    const { links } = body.object
    const path = `/objects/${type}/${body.id}`
    const other = { links: { ...links, self: `/${type}/4c1a` } }

    const refused = await control('PATCH', path, other)
    const changed = await control('PATCH', path, { links: { ...links, self: null } })

    const message = `"links/self" takes "/${type}/${body.id}", not "/${type}/4c1a"`
    expect(refused).toMatchObject({ status: 422, body: { error: { field: 'links/self', message } } })
    expect(changed).toMatchObject({ status: 200, body: { object: { links: { self: null } } } })
  },
)
