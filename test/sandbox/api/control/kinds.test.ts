import { expect, test } from 'vitest'
import { createSandbox } from '../../../../sandbox/index.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a test looks at any field
const findKind = (body: any, kind: string) => body.kinds.find((each: any) => each.kind === kind)

test('a kind of payment says how it may end, how it comes and what it notifies, by step', async () => {
  const { body } = await testSandbox().control('GET', '/payment-kinds')

  expect(findKind(body, 'npp-payin').forms).toEqual(['pay-id', 'crn', 'virtual-account'])
  const { endings, ...card } = findKind(body, 'card-payin')
  expect(card).toEqual({
    kind: 'card-payin',
    about: 'An item is paid by card.',
    source: '§6.2',
    pays_item: true,
    forms: [],
  })
  expect(endings).toHaveLength(1)
  expect(
    // oxlint-disable-next-line typescript/no-explicit-any -- a test looks at any field
    endings[0].notifications.map(({ number, step, object_type, state }: any) => [
      number,
      step,
      object_type,
      state,
    ]),
  ).toEqual([
    [1, 0, 'items', 'pending'],
    [2, 1, 'transactions', 'successful'],
    [3, 1, 'items', 'payment_deposited'],
    [4, 2, 'batch_transactions', 'successful'],
    [5, 2, 'items', 'completed'],
  ])
})

test('the steps of a kind are those of a payment of it', async () => {
  const sandbox = testSandbox()
  const { kinds } = (await sandbox.control('GET', '/payment-kinds')).body
  for (const { kind, endings } of kinds) {
    for (const { outcome, notifications } of endings) {
      const { body: payment } = await sandbox.control('POST', '/payments', {
        kind,
        outcome,
        pace: 'stepwise',
      })

      expect([kind, outcome, notifications.at(-1).step]).toEqual([kind, outcome, payment.steps])
    }
  }
})

test('what a reading leaves out is marked as it is chosen at present', async () => {
  const sandbox = testSandbox()
  const first = async () => {
    const { body } = await sandbox.control('GET', '/payment-kinds')
    return findKind(body, 'realtime-payout').endings[0].notifications[0]
  }
  const usual = await first()
  await sandbox.control('PATCH', '/readings', { 'realtime-payout-sequence': 'final-only' })

  expect(usual).toMatchObject({
    state: 'bank_processing',
    only: { 'realtime-payout-sequence': 'with-processing' },
    happens: true,
  })
  expect(await first()).toEqual({ ...usual, happens: false })
})

test('a kind of fault says what it does and what it must be given', async () => {
  const { body } = await testSandbox().control('GET', '/fault-kinds')

  expect(body.kinds).toHaveLength(16)
  expect(body.kinds[0]).toMatchObject({ on: 'delivery', kind: 'duplicate', takes: ['copies'], needs: [] })
  expect(findKind(body, 'status')).toEqual({
    on: 'api',
    kind: 'status',
    about: 'Responds with this status and does nothing.',
    takes: ['status', 'body'],
    needs: ['status'],
  })
})

test('the kinds are listed in process, too', async () => {
  await using sandbox = await createSandbox()

  expect((await sandbox.paymentKinds()).map(({ kind }) => kind)).toContain('card-payin')
  expect((await sandbox.faultKinds()).map(({ kind }) => kind)).toContain('lost-answer')
})
