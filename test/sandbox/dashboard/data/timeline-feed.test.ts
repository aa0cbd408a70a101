import { expect, test } from 'vitest'
import type { Event, TimelineJob, TimelinePage } from '../../../../spec/generated/control-types.ts'
import type { Perform } from '../../../../sandbox/compose/perform.ts'
import { createTimelineFeed } from '../../../../sandbox/dashboard/data/timeline-feed.ts'
import { createEventQueue } from '../../../../sandbox/dashboard/state/connection.ts'
import { payment } from '../../../support/control-records.ts'
import { testPage } from '../page-ports.ts'
import { timelineJob } from '../timeline-jobs.ts'

/** Creates a feed with `pages`, newest first. Call number `failing` fails. */
function feedOf(pages: readonly (readonly TimelineJob[])[], failing = 0) {
  const page = testPage()
  const queue = createEventQueue(page.soon)
  const errors: unknown[] = []
  const asked: unknown[] = []
  const answer = (id: string, input: unknown): unknown => {
    asked.push([id, input])
    if (asked.length === failing) throw new Error('gone')
    const index = Number(/"before":"(\d+)"/.exec(JSON.stringify(input))?.[1] ?? 0)
    const next = index + 1
    const listed: TimelinePage = {
      jobs: [...(pages[index] ?? [])],
      payments: [payment({ id: 'p1', step: 1 })],
      calls: [],
      older: pages.slice(next).flat().length,
      before: next < pages.length ? String(next) : null,
    }
    return listed
  }
  const perform = (async (id: string, input: unknown) => answer(id, input)) as Perform
  const feed = createTimelineFeed(queue, {
    perform,
    soon: page.soon,
    onError: (error) => errors.push(error),
  })
  const ids = () => {
    const { groups } = feed.data.value
    return Array.from({ length: groups.length() }, (_, at) => groups.at(at)?.jobIds.join(' '))
  }
  return { page, queue, feed, ids, asked, errors }
}

const event = (type: Event['type'], data: Event['data']): Event => ({
  id: 'r-1',
  type,
  text: '',
  at: '2026-01-01T00:09:00.000Z',
  data,
})

test('the dashboard timeline lists every page again after a gap in the events, newest page first', async () => {
  const { page, queue, feed, ids } = feedOf([[timelineJob('c')], [timelineJob('b')], [timelineJob('a')]])

  const steps: unknown[] = []
  feed.unlisted.subscribe((unlisted) => steps.push([unlisted, ids()]))
  queue.gap()
  await page.later(20)

  expect(steps).toEqual([
    [undefined, []],
    [2, ['c']],
    [1, ['c', 'b']],
    [0, ['c', 'b', 'a']],
  ])
})

test('an event that arrives during the timeline listing is included in the timeline', async () => {
  const { page, queue, ids } = feedOf([[timelineJob('b')], [timelineJob('a')]])

  queue.gap()
  queue.push(event('job', { job: timelineJob('c').job }))
  await page.later(20)

  expect(ids()).toEqual(['c', 'b', 'a'])
})

test('an attempt, a call and a cancelled job update the dashboard timeline', async () => {
  const listed = timelineJob('a', { object_id: 'item', due: 5 })
  const { page, queue, feed } = feedOf([[listed]])
  queue.gap()
  await page.later()
  const before = feed.version.value

  const failed = { number: 1, status: 503, reason: 'http_503', faults: [] }
  queue.push(event('attempt', { job: { ...listed.job, attempts: 1 }, ...failed }))
  queue.push(
    event('request', {
      id: 3,
      object_type: 'items',
      object_id: 'alias',
      kept_id: 'item',
      operation: 'showItem',
      status: 200,
      faults: [],
    }),
  )
  queue.push(event('job_called_off', { job: { ...listed.job, attempts: 1, next_due_at: null } }))
  await page.later()

  const data = feed.data.value
  expect(data.job('a')).toMatchObject({ nextDueAt: null, attempts: [{ number: 1, reason: 'http_503' }] })
  expect(data.groups.groupOf('items', 'item')?.calls).toMatchObject([{ id: 3, operation: 'showItem' }])
  expect(feed.version.value).toBeGreaterThan(before)
})

test('many gaps in the events during a timeline listing cause only one additional listing', async () => {
  const { page, queue, feed, ids, asked } = feedOf([[timelineJob('b')], [timelineJob('a')]])
  const shown: unknown[] = []
  feed.unlisted.subscribe((unlisted) => shown.push(unlisted))

  queue.gap()
  for (let wish = 0; wish < 50; wish++) queue.gap()
  await page.later(20)

  expect([asked.length, ids(), shown]).toEqual([3, ['b', 'a'], [undefined, 1, 0]])
})

test('a failed timeline listing restarts when the sandbox is back', async () => {
  const { page, queue, ids, errors } = feedOf([[timelineJob('b')], [timelineJob('a')]], 2)

  queue.gap()
  await page.later(20)
  const before = ids()
  queue.gap()
  await page.later(20)

  expect([before, ids(), errors.length]).toEqual([['b'], ['b', 'a'], 1])
})
