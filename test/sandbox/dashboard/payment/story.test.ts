import { expect, test } from 'vitest'
import { toDrawnJob, createTimelineData } from '../../../../sandbox/dashboard/data/timeline-data.ts'
import { layOutEvents, listStoryEvents } from '../../../../sandbox/dashboard/payment/story.ts'
import { minute, timelineJob } from '../timeline-jobs.ts'

function storyOf(...jobs: readonly ReturnType<typeof timelineJob>[]) {
  const data = createTimelineData()
  data.addOlder(jobs.map((each) => toDrawnJob({ ...each, job: { ...each.job, payment_id: 'p1' } })))
  data.addCall({
    id: 1,
    at: minute(10),
    object_type: 'items',
    object_id: 'object-of-a',
    operation: 'showItem',
    status: 503,
    faults: ['status'],
  })
  return listStoryEvents(data.groups.find('p1') ?? expect.fail(), data)
}

const retried = timelineJob('a', {
  answers: { 10: 503, 15: 204 },
})
const waiting = timelineJob('b', { answers: { 10: 500 }, due: 25 })

test('listExchangeEvents() lists the attempts and the calls of a payment in order', () => {
  expect(storyOf(retried, waiting).map(({ kind, title, result }) => [kind, title, result])).toEqual([
    ['failed', 'items completed', '503'],
    ['failed', 'items completed', '500'],
    ['failed-call', 'Show item', '503 by fault status'],
    ['delivered', 'items completed', '204'],
    ['due', 'items completed', 'due'],
  ])
})

test('layOutEvents() puts events of the same instant into one column', () => {
  const { events, gaps, columns } = layOutEvents(storyOf(retried, waiting), minute(20))

  expect(events.map(({ column }) => column)).toEqual([0, 0, 1, 2, 3])
  expect(columns).toBe(4)
  expect(gaps).toEqual([
    { column: 2, label: '5 min', isCompressed: true },
    { column: 3, label: 'next attempt in 5 min', isCompressed: true },
  ])
})
