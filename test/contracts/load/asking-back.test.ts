import { expect, test } from 'vitest'
import type { LoadMessage } from '../../../contracts/load/books.ts'
import { notificationMaker } from '../../../contracts/load/notification-maker.ts'
import { planLoadPace, planNotifications } from '../../../contracts/load/plan.ts'
import { planContent, type ShareWish } from '../../../contracts/load/shares.ts'
import { createSupply } from '../../../contracts/load/supply.ts'
import { asObjectOf } from '../../../contracts/run/messages.ts'
import { objectState } from '../../../spec/models.ts'
import { LOADED, openLoadedService } from '../support/loaded-service.ts'

async function openLoad(
  wishes: readonly ShareWish[],
  size: { readonly count: number; readonly rate: number },
) {
  const [service, content] = [openLoadedService(), planContent(LOADED, wishes)]
  const pace = planLoadPace(content.shares, size)
  const plan = planNotifications(content.shares, { ...size, ...pace })
  const make = notificationMaker({ ...content, ...pace, service, options: { consequences: {}, seed: 1 } })
  const supply = createSupply(plan, make, { ahead: pace.ahead, atOnce: 32 })
  const saysNow = async ({ type, id }: LoadMessage) => {
    const { object } = await service.perform('getObject', { path: { type, id } })
    return objectState(type, asObjectOf(type, object))
  }
  return { ...pace, supply, saysNow }
}

const stateIn = ({ type, body }: LoadMessage) => objectState(type, asObjectOf(type, JSON.parse(body)[type]))

test.each<[what: string, wishes: readonly ShareWish[]]>([
  ['objects', [{ weight: 1, of: { type: 'items' } }]],
  ['payments', [{ weight: 1, of: { kind: 'card-payin' } }]],
  [
    'both',
    [
      { weight: 1, of: { type: 'items' } },
      { weight: 2, of: { kind: 'card-payin' } },
    ],
  ],
])('the service shows %s in the notified state throughout the load', async (_, wishes) => {
  const { supply, saysNow, apart, ahead } = await openLoad(wishes, { count: 480, rate: 40 })
  await supply.fill()
  const recent: LoadMessage[] = []
  for (;;) {
    const message = await supply.take()
    if (message === undefined) break
    if (message === null) continue
    // `fill()` makes the service prepare as many notifications as its limit allows.
    await supply.fill()
    recent.push(message)
    // The oldest message is halfway to the next notification of its object.
    const oldest = recent.length >= apart - ahead ? recent.shift() : undefined
    for (const each of [message, ...(oldest ? [oldest] : [])]) expect(await saysNow(each)).toBe(stateIn(each))
  }
})
