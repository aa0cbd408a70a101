import { beforeAll, expect, test } from 'vitest'
import { DELIVERY } from '../../spec/generated/delivery.ts'
import {
  arrivedLines,
  FUNDS,
  makePlatformPayment,
  openDoors,
  openShop,
  PLATFORM_OUTCOMES,
  PRICE,
} from './platform-payments.ts'
import { duringFile } from '../support/lifetimes.ts'
import { startWalk } from '../support/walk.ts'

const walk = duringFile(startWalk)

beforeAll(async () => {
  const { service, bench } = openDoors(walk)
  for (const object_type of DELIVERY.object_types.webhooks.value)
    await service('POST', '/webhooks', { url: walk.urlFor('webhooks', object_type), object_type })
  await bench('PATCH', '/readings', { settlement: 'by-simulation' })
})

interface Exported {
  readonly id: string
  readonly batch_id: string
  readonly type: string
  readonly type_method: string
}

async function exported(): Promise<readonly Exported[]> {
  return (await openDoors(walk).service('GET', '/batch_transactions/export_transactions')).transactions
}

async function simulate({ id, batch_id }: Exported, state: number): Promise<readonly string[]> {
  const { service, bench } = openDoors(walk)
  const body = { exported_ids: [id], state }
  const { errors } = await service('PATCH', `/batches/${batch_id}/transaction_states`, body)
  await bench('POST', '/settle', {})
  return errors
}

test.each(PLATFORM_OUTCOMES)(
  'a %s stops after its first simulated step and ends as %s on request',
  async (kind, outcome, ...[lines, money]) => {
    const doors = openDoors(walk)
    const shop = await openShop(doors)
    await doors.bench('PUT', '/next-outcomes', { kind, outcome })
    const before = walk.received.length
    const arrived = () => arrivedLines(walk.received.slice(before))

    const item = await makePlatformPayment(kind, shop, doors)
    await doors.bench('POST', '/settle', {})
    const first = arrived()
    const waiting = await exported()
    const [one] = waiting
    if (!one) throw new Error('Nothing is exported')
    await simulate(one, 12_700)
    const errors = await simulate(one, 12_000)

    expect([first, waiting.length]).toEqual([lines.slice(0, 1), 1])
    expect(errors).toEqual(outcome === 'successful' ? [] : [`${one.id}: comes to ${outcome}, as was chosen`])
    expect(arrived()).toEqual(lines)
    expect(await exported()).toEqual([])
    expect({
      item: item === undefined ? undefined : (await doors.service('GET', `/items/${item}`)).items.state,
      wallet: (await doors.service('GET', `/accounts/${shop.sellerWallet}`)).accounts.amount,
    }).toMatchObject(money)
  },
)

test('the settlement of a card pay-in is exported in advance and settled once under its exported ID', async () => {
  const doors = openDoors(walk)
  const shop = await openShop(doors)
  await makePlatformPayment('card-payin', shop, doors)
  const [funding] = await exported()
  if (!funding) throw new Error('Nothing is exported')
  const twice = { exported_ids: [funding.id, funding.id], state: 12_000 }

  const { errors } = await doors.service('PATCH', `/batches/${funding.batch_id}/transaction_states`, twice)

  const shown = await doors.service('GET', `/batch_transactions/${funding.id}`)
  expect(funding).toMatchObject({ type: 'payment_funding', type_method: 'credit_card' })
  expect(errors).toEqual([`${funding.id}: successful does not become successful`])
  expect(shown.batch_transactions).toMatchObject({ id: funding.id, state: 'successful' })
  expect((await doors.service('GET', `/accounts/${shop.sellerWallet}`)).accounts.amount).toBe(FUNDS + PRICE)
})

test('a payment of an item from a wallet is settled immediately', async () => {
  const doors = openDoors(walk)
  const shop = await openShop(doors)
  const before = walk.received.length

  const item = await makePlatformPayment('wallet-to-item-transfer', shop, doors)
  await doors.bench('POST', '/settle', {})

  expect((await doors.service('GET', `/items/${item}`)).items.state).toBe('payment_deposited')
  expect(arrivedLines(walk.received.slice(before))).toEqual([
    'transactions payment wallet_account_transfer successful',
  ])
})

test('an outcome that is selected for a payment kind survives a restart and applies to one payment', async () => {
  const doors = openDoors(walk)
  const shop = await openShop(doors)
  const activate = async () => {
    await makePlatformPayment('virtual-account-activation', shop, doors)
    await doors.bench('POST', '/settle', {})
    let payment = (await doors.bench('GET', '/payments')).payments.at(-1)
    while (payment.step < payment.steps) payment = await doors.bench('POST', `/payments/${payment.id}/next`)
    return payment.outcome
  }
  const body = { kind: 'virtual-account-activation', outcome: 'activation_failed' }
  await doors.bench('PUT', '/next-outcomes', body)
  await walk.restart()

  expect([await activate(), await activate()]).toEqual(['activation_failed', 'active'])
})

test('the control API settles a card pay-in, or the reading settles the pay-in at once', async () => {
  const doors = openDoors(walk)
  const shop = await openShop(doors)
  const paid = async () => {
    const item = await makePlatformPayment('card-payin', shop, doors)
    await doors.bench('POST', '/settle', {})
    return async () => (await doors.service('GET', `/items/${item}`)).items.state
  }
  const state = await paid()
  const before = await state()
  const { payments } = await doors.bench('GET', '/payments')
  await doors.bench('POST', `/payments/${payments.at(-1).id}/next`)
  const after = await state()
  await doors.bench('PATCH', '/readings', { settlement: 'at-once' })

  const atOnce = await (await paid())()

  await doors.bench('PATCH', '/readings', { settlement: 'by-simulation' })
  expect([before, after, atOnce]).toEqual(['payment_deposited', 'completed', 'completed'])
})
