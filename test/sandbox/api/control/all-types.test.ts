import { expect, test } from 'vitest'
import { NOTIFICATIONS } from '../../../../spec/generated/notifications.ts'
import { notifiedTypes } from '../../../../spec/notifications.ts'
import { parseNotification } from '../../../../spec/parse-notification.ts'
import { platform } from '../../../support/platform.ts'
import { START, testSandbox } from '../../../support/test-sandbox.ts'

const kinds = notifiedTypes.flatMap((type): [string, string, object][] => {
  const rows: readonly { schema: string; constants: object; nulls: readonly string[] }[] =
    NOTIFICATIONS[type].kinds
  if (rows.length === 0) return [[type, NOTIFICATIONS[type].object, {}]]
  return rows
    .filter(({ nulls }) => nulls.length === 0)
    .map(({ schema, constants }) => [type, schema, constants])
})

test.each(kinds)('%s (%s) are created, shown and notified as expected', async (type, _, fields) => {
  const sandbox = await platform()

  const { status, body } = await sandbox.control('POST', `/objects/${type}`, fields)
  await sandbox.idle()

  expect([status, sandbox.errors]).toEqual([201, []])
  const shown = await sandbox.call('GET', `/${type}/${body.id}`)
  expect(shown.status).toBe(200)
  if (type === 'virtual_accounts') {
    expect([shown.body, sandbox.bodies()]).toEqual([body.object, []])
    return
  }
  expect(shown.body).toEqual({ [type]: body.object })
  expect(sandbox.bodies()).toEqual([{ [type]: body.object }])
  expect(sandbox.bodies().map((sent) => parseNotification(sent).ok)).toEqual([true])
})

test.each(['active', 'activation_failed'])(
  'a virtual account sends one notification when its status becomes %s',
  async (status) => {
    const sandbox = await platform()
    const { body } = await sandbox.control('POST', '/objects/virtual_accounts', {})

    const path = `/objects/virtual_accounts/${body.id}`
    const moved = await sandbox.control('PATCH', path, { status })
    const again = await sandbox.control('PATCH', path, { account_name: 'Other' })
    const back = await sandbox.control('PATCH', path, { status: 'pending_activation' })
    await sandbox.idle()

    expect([moved.status, again.status, back.status]).toEqual([200, 200, 409])
    expect(sandbox.bodies()).toEqual([
      {
        event: 'status_updated',
        id: body.id,
        link: `/virtual_accounts/${body.id}`,
        name: 'virtual_accounts',
        updatedAt: '2026-01-01T12:00:00.001+12:00',
      },
    ])
  },
)

test('a batch transaction sends no notification when its state stays the same', async () => {
  const sandbox = await platform()
  const { body } = await sandbox.control('POST', '/objects/batch_transactions', {})

  const path = `/objects/batch_transactions/${body.id}`
  const changed = await sandbox.control('PATCH', path, { reference: 'Other' })
  await sandbox.idle()

  expect([changed.body.revision, changed.body.notified]).toEqual([2, []])
  expect(sandbox.bodies().length).toBe(1)
})

test('an extended batch transaction can be read with its UUID and with its integer ID', async () => {
  const sandbox = testSandbox()
  const { body } = await sandbox.control('POST', '/objects/batch_transactions', {
    type: 'disbursement',
    type_method: 'bpay',
  })

  const byUuid = await sandbox.call('GET', `/batch_transactions/${body.object.uuid}`)
  const byNumber = await sandbox.call('GET', `/batch_transactions/${body.object.id}`)

  expect(byUuid.body).toEqual(byNumber.body)
  expect(byUuid.body.batch_transactions).toMatchObject({
    id: expect.any(Number),
    uuid: body.id,
    account_type: 9700,
  })
})

test('the data of an account cannot change, and state changes appear only in updated_at', async () => {
  const sandbox = await platform()
  const { body } = await sandbox.control('POST', '/objects/accounts', { account_type_id: 9100 })
  await sandbox.advance(START + 60_000)

  const data = await sandbox.control('PATCH', `/objects/accounts/${body.id}`, { amount: 5 })
  const disabled = await sandbox.control('PATCH', `/objects/accounts/${body.id}`, { enabled: false })

  expect([data.status, disabled.status]).toEqual([422, 200])
  expect(disabled.body.object).toEqual({ ...body.object, updated_at: '2026-01-01T00:01:00.000Z' })
  expect(disabled.body.notified.length).toBe(1)
})

test.each([
  [{}, ['bank_processing trying', 'successful successful']],
  [{ 'disbursement-changes': 'creation-only' }, ['bank_processing trying']],
  [{ 'realtime-payout-sequence': 'final-only' }, ['successful successful']],
])(
  'the service with the readings %j sends the realtime payout notifications %j',
  async (readings, expected) => {
    const sandbox = await platform(readings)
    const { body } = await sandbox.control('POST', '/objects/disbursements', { state: 'bank_processing' })

    const paid = await sandbox.control('PATCH', `/objects/disbursements/${body.id}`, { state: 'successful' })
    await sandbox.idle()

    expect(
      sandbox.bodies().map((sent) => {
        const { state, npp_payout_state } = sent.disbursements
        return `${state} ${npp_payout_state}`
      }),
    ).toEqual(expected)
    expect([
      body.object.partner_payment_transaction_id,
      paid.body.object.partner_payment_transaction_id,
    ]).toEqual([null, expect.stringMatching(/^PPT-\d{6}$/)])
  },
)

// oxlint-disable-next-line typescript/no-explicit-any -- a test looks at any field
const findKind = (body: any, kind: string) => body.kinds.find((each: any) => each.kind === kind)

test('GET /payment-kinds lists the forms and outcomes of each payment kind and its notifications per step', async () => {
  const { body } = await testSandbox().control('GET', '/payment-kinds')

  expect(findKind(body, 'npp-payin').forms).toEqual(['pay-id', 'crn', 'virtual-account'])
  expect(findKind(body, 'card-payin')).toMatchObject({
    pays_item: true,
    forms: [],
    endings: [
      {
        outcome: 'successful',
        notifications: [
          { number: 1, step: 0, object_type: 'items', state: 'pending' },
          { number: 2, step: 1, object_type: 'transactions', state: 'successful' },
          { number: 3, step: 1, object_type: 'items', state: 'payment_deposited' },
          { number: 4, step: 2, object_type: 'batch_transactions', state: 'successful' },
          { number: 5, step: 2, object_type: 'items', state: 'completed' },
        ],
      },
    ],
  })
})

test('the last notification of a payment kind belongs to the last step of its payments', async () => {
  const sandbox = testSandbox()
  const { body } = await sandbox.control('GET', '/payment-kinds')
  for (const { kind, endings } of body.kinds) {
    for (const { outcome, notifications } of endings) {
      const request = { kind, outcome, pace: 'stepwise' }
      const { body: payment } = await sandbox.control('POST', '/payments', request)

      expect([kind, outcome, notifications.at(-1).step]).toEqual([kind, outcome, payment.steps])
    }
  }
})

test('a fault kind lists its description, settings and required settings', async () => {
  const { body } = await testSandbox().control('GET', '/fault-kinds')

  expect(body.kinds).toHaveLength(16)
  expect(body.kinds[0]).toMatchObject({ on: 'delivery', kind: 'duplicate', takes: ['copies'], needs: [] })
  expect(findKind(body, 'status')).toEqual({
    on: 'api',
    kind: 'status',
    about: 'Responds with `status`, and does not perform the call.',
    takes: ['status', 'body'],
    needs: ['status'],
  })
})
