import { expect, test } from 'vitest'
import { createConnectionPlaces } from '../../../contracts/load/connection-places.ts'

test('connections are limited, and the next request waits', async () => {
  const places = createConnectionPlaces(2, { longMs: 100 })
  await Promise.all([places.take(), places.take()])
  const third = places.take()
  let isThere = false
  void third.then(() => (isThere = true))
  await Promise.resolve()
  expect(isThere).toBe(false)

  places.giveBack(10)

  expect(await third).toBe(true)
  expect(places.result()).toMatchObject({ limit: 2, peak: 2, waits: 1, heldWaits: 0 })
})

test('a wait counts against the limit if responses are in time, else against the receiver', async () => {
  const waitOnce = async (answerMs: number) => {
    const places = createConnectionPlaces(1, { longMs: 100 })
    await places.take()
    const next = places.take()
    places.giveBack(answerMs)
    await next
    const { waits, heldWaits } = places.result()
    return { waits, heldWaits }
  }

  expect(await waitOnce(100)).toEqual({ waits: 1, heldWaits: 0 })
  expect(await waitOnce(101)).toEqual({ waits: 0, heldWaits: 1 })
})

test('waits after a stall count against the receiver, even after quick responses', async () => {
  const places = createConnectionPlaces(2, { longMs: 100 })
  await Promise.all([places.take(), places.take()])
  const waiting = Array.from({ length: 6 }, () => places.take())
  for (const answerMs of [2_000, 2_000, 1, 1, 1, 1]) places.giveBack(answerMs)
  await Promise.all(waiting)

  expect(places.result()).toMatchObject({ waits: 0, heldWaits: 6 })
})

test('closing rejects new places and counts waits against the silent receiver', async () => {
  const places = createConnectionPlaces(1, { longMs: 100 })
  await places.take()
  const waiting = places.take()

  places.close()

  expect(await Promise.all([waiting, places.take()])).toEqual([false, false])
  expect(places.result()).toMatchObject({ waits: 0, heldWaits: 1 })
})
