import { expect, test } from 'vitest'
import type { LoadMessage } from '../../../contracts/load/books.ts'
import { createLoadSeeds, notificationMaker } from '../../../contracts/load/notifications.ts'
import { planLoadPace, planNotifications } from '../../../contracts/load/plan.ts'
import { createSupply } from '../../../contracts/load/send-load.ts'
import { planContent, type ShareWish } from '../../../contracts/load/shares.ts'
import { asObjectOf } from '../../../contracts/run/messages.ts'
import type { Service } from '../../../contracts/run/service.ts'
import { createIds, createSeededRandom } from '../../../sandbox/engine/core/random.ts'
import { objectState } from '../../../spec/models.ts'
import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import { paymentKinds } from '../../../spec/payments.ts'
import { readingValues } from '../../../spec/readings.ts'
import { testSandbox } from '../../support/test-sandbox.ts'
import { receiverOptions } from '../support/run-options.ts'

/** Opens a service in memory with a stopped clock. */
function openService(readings: Readonly<Record<string, string>> = {}): Service {
  const { perform, context } = testSandbox({ readings })
  const unused = () => Promise.reject(new Error('Nobody asks for it'))
  return {
    perform,
    url: 'http://127.0.0.1:4010',
    readings: readingValues(readings),
    translator: context.translator,
    passTime: () => Promise.resolve(''),
    trustedCas: [],
    webhooks: unused,
    close: unused,
  }
}

interface Given {
  readonly service?: Service
  readonly apart?: number
  readonly count?: number
}

function openMaker(wishes: readonly ShareWish[], given: Given = {}) {
  const { service = openService(), apart = 32, count = 400 } = given
  const receiver = receiverOptions({
    urls: { webhooks: 'https://localhost:9443/hooks' },
    callsBack: true,
  })
  const content = planContent({ receiver, readings: {}, consequences: {} }, wishes, { count, rate: 40 })
  const make = notificationMaker({
    ...content,
    apart,
    service,
    options: { consequences: {}, seed: 7, salt: '' },
  })
  return { ...content, service, make }
}

async function objects(type: NotifiedType, count: number, given: Given = {}) {
  const { make, service } = openMaker([{ weight: 1, of: { type } }], given)
  const messages: LoadMessage[] = []
  for (let index = 0; index < count; index++) messages.push(await make({ kind: 'object', type }))
  return { messages, service }
}

const stateIn = ({ type, body }: LoadMessage) => objectState(type, asObjectOf(type, JSON.parse(body)[type]))

test.each(paymentKinds)(
  'the payment %s has several notifications and exactly one effect that matches the final Show response',
  async (kind) => {
    const { make, shares, service } = openMaker([{ weight: 1, of: { kind } }])
    const [share] = shares
    if (share?.kind !== 'payment') throw new Error('It is a payment')
    const parts = [...share.branch.parts.keys()]
    const messages = await Promise.all(parts.map((part) => make({ ...share, payment: 0, part })))

    expect(messages.filter(({ booking }) => booking)).toHaveLength(1)
    for (const { type, id } of messages) await service.perform('getObject', { path: { type, id } })
  },
)

test.each(notifiedTypes)('a load creates %s and changes their state if the type has states', async (type) => {
  const { messages } = await objects(type, 40)

  expect(messages.every((message) => message.type === type)).toBe(true)
  expect(new Set(messages.map(({ body }) => body)).size).toBe(40)
})

test('an object in a load changes to its notified state and gets its effect in that state', async () => {
  const service = openService({ 'realtime-payout-sequence': 'final-only' })
  const { messages } = await objects('disbursements', 5, { service })

  expect(messages.map((message) => [message.booking !== undefined, stateIn(message)])).toEqual(
    Array.from({ length: 5 }, () => [true, 'successful']),
  )
})

test.each<[what: string, wishes: readonly ShareWish[]]>([
  ['objects', [{ weight: 1, of: { type: 'items' } }]],
  ['payments', [{ weight: 1, of: { kind: 'card-payin' } }]],
])('the service returns %s in the notified state throughout the load', async (_, wishes) => {
  const size = { count: 480, rate: 40 }
  const { apart, ahead } = planLoadPace(openMaker(wishes, size).shares, size)
  const { make, shares, service } = openMaker(wishes, { ...size, apart })
  const supply = createSupply(planNotifications(shares, { ...size, apart }), make, { ahead, atOnce: 32 })
  const saysNow = async ({ type, id }: LoadMessage) => {
    const { object } = await service.perform('getObject', { path: { type, id } })
    return objectState(type, asObjectOf(type, object))
  }
  const recent: LoadMessage[] = []
  for (;;) {
    // `fill()` makes the service prepare as many notifications as its limit allows.
    await supply.fill()
    const message = await supply.take()
    if (message === undefined) break
    if (message === null) continue
    recent.push(message)
    // Checks the oldest message again, halfway to the next notification about the same object.
    const oldest = recent.length >= apart - ahead ? recent.shift() : undefined
    for (const each of [message, ...(oldest ? [oldest] : [])]) expect(await saysNow(each)).toBe(stateIn(each))
  }
})

test('the seeds and object IDs of a long load are unique', () => {
  const { people, objects: ofObjects, payment } = createLoadSeeds({ seed: 7, salt: '' })
  const take = (count: number, next: () => number) => Array.from({ length: count }, next)
  const seeds = [
    take(64, people.next),
    take(50_000, ofObjects.next),
    ...Array.from({ length: 2_000 }, (_, index) => take(16, payment(index).next)),
  ].flat()
  const ids = seeds.map((seed) => createIds(createSeededRandom(seed)).newId())

  expect([new Set(seeds).size, new Set(ids).size]).toEqual([seeds.length, seeds.length])
})
