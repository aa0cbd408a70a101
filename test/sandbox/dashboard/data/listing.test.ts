import { expect, test } from 'vitest'
import type { Event } from '../../../../spec/generated/control-types.ts'
import { createEventQueue } from '../../../../sandbox/dashboard/state/connection.ts'
import { createListing } from '../../../../sandbox/dashboard/data/listing.ts'
import { testPage } from '../page-ports.ts'

const event = (type: Event['type']): Event => ({
  id: 'r-1',
  type,
  at: '2026-01-01T00:00:00.000Z',
  text: '',
  data: {},
})

function listen() {
  const page = testPage()
  const queue = createEventQueue(page.soon)
  const waiting: (() => void)[] = []
  let count = 0
  const listing = createListing(queue, {
    async load() {
      const own = ++count
      await new Promise<void>((resolve) => waiting.push(resolve))
      return own
    },
    types: ['fault'],
    onError: (error) => expect.fail(String(error)),
  })
  return { page, queue, listing, answer: () => waiting.shift()?.(), asked: () => count }
}

test('a list reloads after a gap in the events and after an event of a type that the list uses', async () => {
  const { page, queue, listing, answer, asked } = listen()

  queue.gap()
  answer()
  await page.later()
  queue.push(event('job'))
  await page.later()
  const before = asked()
  queue.push(event('fault'))
  await page.later()
  answer()
  await page.later()

  expect([before, asked(), listing.rows.value]).toEqual([1, 2, 2])
})

test('events during a load cause one more load', async () => {
  const { page, queue, listing, answer, asked } = listen()

  queue.gap()
  for (let index = 0; index < 5; index++) queue.push(event('fault'))
  await page.later()
  const during = asked()
  answer()
  await page.later()
  answer()
  await page.later()

  expect([during, asked(), listing.rows.value]).toEqual([1, 2, 2])
})

test('an event queue passes many events to its subscribers in several batches', async () => {
  const page = testPage()
  const queue = createEventQueue(page.soon)
  const parts: number[] = []
  queue.subscribe(({ length }) => parts.push(length))

  for (let index = 0; index < 1_200; index++) queue.push(event('job'))
  await page.later()

  expect(parts).toEqual([500, 500, 200])
})

test('a failed list reloads when the sandbox is back', async () => {
  const page = testPage()
  const queue = createEventQueue(page.soon)
  const errors: unknown[] = []
  let asked = 0
  const listing = createListing(queue, {
    async load() {
      if (++asked === 1) throw new Error('gone')
      return asked
    },
    types: [],
    onError: (error) => errors.push(error),
  })

  queue.gap()
  await page.later()
  queue.gap()
  await page.later()

  expect([errors.length, asked, listing.rows.value]).toEqual([1, 2, 2])
})
