import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import type { Event, History } from '../../../../spec/generated/control-types.ts'
import { createRewind } from '../../../../sandbox/dashboard/state/rewind.ts'
import { createEventQueue } from '../../../../sandbox/dashboard/state/connection.ts'
import { testPage } from '../page-ports.ts'

const NOON = Date.parse('2026-01-01T12:00:00.000Z')
const HISTORY: History = {
  begins_at: '2026-01-01T00:00:00.000Z',
  ends_at: '2026-01-01T12:00:00.000Z',
  entries: 9,
  calls_since: null,
  instants: [],
}

function rewindOf(at?: number) {
  const page = testPage()
  const queue = createEventQueue(page.soon)
  const isLive = signal(false)
  const loads: number[] = []
  const rewind = createRewind({
    ...queue,
    at,
    isLive,
    load: async () => {
      loads.push(loads.length)
      return HISTORY
    },
    onError: () => {},
  })
  return { page, queue, isLive, loads, rewind }
}

const event: Event = { id: 'r-1', type: 'job', at: HISTORY.ends_at, text: '', data: {} }

test('a rewind to a future instant stops at the present clock time', async () => {
  const { page, isLive, rewind } = rewindOf(NOON + 5)
  const before = rewind.at.value
  isLive.value = true
  await page.later()

  expect([before, rewind.at.value]).toEqual([NOON + 5, NOON])
})

test('the screens reload at each move of the history and ignore events while the history shows the past', async () => {
  const { page, queue, rewind } = rewindOf()
  const heard: string[] = []
  rewind.feed.subscribe((news) =>
    heard.push(news === 'gap' ? `at ${rewind.at.peek()}` : `${news.length} events`),
  )

  queue.push(event)
  await page.later()
  rewind.to(NOON)
  queue.push(event)
  await page.later()
  rewind.to(undefined)
  queue.push(event)
  await page.later()

  expect(heard).toEqual(['1 events', `at ${NOON}`, 'at undefined', '1 events'])
})
