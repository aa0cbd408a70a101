import { expect, test } from 'vitest'
import type { LoadMessage } from '../../../contracts/load/books.ts'
import { createLoadSeeds, createPaymentNotifications } from '../../../contracts/load/notification-maker.ts'
import { createObjectNotifications } from '../../../contracts/load/object-notifications.ts'
import { createLoadPeople } from '../../../contracts/load/people.ts'
import { planContent } from '../../../contracts/load/shares.ts'
import { createSeeds } from '../../../contracts/run/seeds.ts'
import { objectState } from '../../../spec/models.ts'
import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import { paymentKinds, type PaymentKind } from '../../../spec/payments.ts'
import { LOADED, openLoadedService } from '../support/loaded-service.ts'

async function payment(kind: PaymentKind, service = openLoadedService()): Promise<readonly LoadMessage[]> {
  const content = planContent(LOADED, [{ weight: 1, of: { kind } }])
  const [share] = content.shares
  if (share?.kind !== 'payment') throw new Error('It is a payment')
  const seeds = createLoadSeeds(1)
  const make = createPaymentNotifications({
    service,
    urls: content.urls,
    consequences: {},
    seeds,
    people: createLoadPeople(service, seeds.people),
  })
  const { branch } = share
  return Promise.all(branch.parts.map((_, part) => make({ kind: 'payment', payment: 0, branch, part })))
}

test.each(paymentKinds)(
  'the payment %s has several notifications and exactly one effect that matches the final Show response',
  async (kind) => {
    const service = openLoadedService()
    const messages = await payment(kind, service)

    const actedOn = messages.filter(({ booking }) => booking)
    expect(actedOn).toHaveLength(1)
    for (const { type, id } of messages) await service.perform('getObject', { path: { type, id } })
  },
)

async function notifications(
  type: NotifiedType,
  count: number,
  service = openLoadedService(),
): Promise<readonly LoadMessage[]> {
  const seeds = createSeeds(1, 'load/objects')
  const next = createObjectNotifications({
    service,
    seeds,
    people: createLoadPeople(service, seeds),
    consequences: {},
    generation: 'webhooks',
    apart: 32,
  })
  const messages: LoadMessage[] = []
  for (let index = 0; index < count; index++) messages.push(await next(type))
  return messages
}

test.each(notifiedTypes)('a load creates %s and changes their state if the type has states', async (type) => {
  const messages = await notifications(type, 40)

  expect(messages.every((message) => message.type === type)).toBe(true)
  expect(new Set(messages.map(({ body }) => body)).size).toBe(40)
})

test('a load moves items through intermediate states and expects no effect in these states', async () => {
  const messages = await notifications('items', 100)

  const byId = Map.groupBy(messages, ({ id }) => id)
  const first = byId.get(messages[0]?.id ?? '') ?? []
  expect(first.map(({ body }) => objectState('items', JSON.parse(body).items))).toEqual([
    'pending',
    'payment_deposited',
    'completed',
  ])
  expect(messages.findIndex((message) => message === first[1])).toBeGreaterThanOrEqual(32)
  expect(messages.some(({ booking }) => booking)).toBe(false)
})

test('an object changes to its notified state and gets its effect in that state', async () => {
  const service = openLoadedService({ 'realtime-payout-sequence': 'final-only' })
  const messages = await notifications('disbursements', 5, service)

  expect(
    messages.map(({ booking, body }) => [booking !== undefined, JSON.parse(body).disbursements.state]),
  ).toEqual(Array.from({ length: 5 }, () => [true, 'successful']))
})

test('items and payments reuse the same users, and the service returns the users', async () => {
  const service = openLoadedService()
  const messages = await notifications('items', 300, service)
  const users = new Set(messages.map(({ body }) => String(JSON.parse(body).items.related.buyers)))

  expect(users.size).toBeLessThanOrEqual(64)
  for (const id of users) await service.perform('getObject', { path: { type: 'users', id } })

  const people = createLoadPeople(service, createSeeds(1, 'load/people'))
  expect(await people.partiesOf('npp-payin')).toEqual({ user: expect.any(String) })
  expect(await people.partiesOf('card-payin')).toEqual({ itemFields: expect.anything() })
})

test('each wallet payment and virtual account has a new user', async () => {
  const people = createLoadPeople(openLoadedService(), createSeeds(1, 'load/people'))
  const own: readonly PaymentKind[] = [
    'direct-credit-payout',
    'bpay-payout',
    'realtime-payout',
    'wallet-to-item-transfer',
    'virtual-account-activation',
  ]

  for (const kind of own) expect(await people.partiesOf(kind)).toEqual({})
})
