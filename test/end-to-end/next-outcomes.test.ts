import { afterAll, beforeAll, expect, test } from 'vitest'
import { DELIVERY } from '../../spec/generated/delivery.ts'
import {
  arrivedLines,
  makePlatformPayment,
  openDoors,
  openShop,
  PLATFORM_OUTCOMES,
  type PlatformKind,
  type Shop,
} from './platform-payments.ts'
import { startWalk, type Walk } from '../support/walk.ts'

let walk: Walk

beforeAll(async () => {
  walk = await startWalk()
  for (const object_type of DELIVERY.object_types.webhooks.value)
    await openDoors(walk).service('POST', '/webhooks', {
      url: walk.urlFor('webhooks', object_type),
      object_type,
    })
})

afterAll(() => walk.close())

async function payToItsEnd(kind: PlatformKind, given: Shop) {
  const doors = openDoors(walk)
  const before = walk.received.length
  const item = await makePlatformPayment(kind, given, doors)
  await doors.bench('POST', '/settle', {})
  let payment = (await doors.bench('GET', '/payments')).payments.at(-1)
  while (payment.step < payment.steps) payment = await doors.bench('POST', `/payments/${payment.id}/next`)
  await doors.bench('POST', '/settle', {})
  const last = payment.moves.at(-1)?.objects.at(-1)
  const shown = await doors.bench('GET', `/objects/${last.object_type}/${last.id}`)
  return {
    payment,
    arrived: arrivedLines(walk.received.slice(before)),
    shown: shown.object.state ?? shown.object.status,
    item: item === undefined ? undefined : (await doors.service('GET', `/items/${item}`)).items.state,
    wallet: (await doors.service('GET', `/accounts/${given.sellerWallet}`)).accounts.amount,
  }
}

test.each(PLATFORM_OUTCOMES)(
  'the next %s of the platform ends %s on request',
  async (kind, outcome, ...[lines, money]) => {
    const doors = openDoors(walk)
    const given = await openShop(doors)
    const chosen = await doors.bench('PUT', '/next-outcomes', { kind, outcome })
    const listed = await doors.bench('GET', '/next-outcomes')

    const ended = await payToItsEnd(kind, given)

    expect([chosen, listed]).toEqual([{ kind, outcome }, { next_outcomes: [{ kind, outcome }] }])
    expect(ended).toMatchObject({ payment: { kind, outcome }, arrived: lines, shown: outcome, ...money })
    expect(await doors.bench('GET', '/next-outcomes')).toEqual({ next_outcomes: [] })
  },
)

test('a chosen outcome survives a restart and applies to one payment', async () => {
  const doors = openDoors(walk)
  const given = await openShop(doors)
  await doors.bench('PUT', '/next-outcomes', { kind: 'bpay-payout', outcome: 'invalid_account_details' })
  await walk.restart()

  const [first, second] = [await payToItsEnd('bpay-payout', given), await payToItsEnd('bpay-payout', given)]

  expect([first.shown, second.shown]).toEqual(['invalid_account_details', 'successful'])
})
