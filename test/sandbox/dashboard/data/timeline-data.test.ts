import { expect, test } from 'vitest'
import {
  toDrawnJob,
  createTimelineData,
  type TimelineData,
} from '../../../../sandbox/dashboard/data/timeline-data.ts'
import { minute, timelineJob } from '../timeline-jobs.ts'

const drawn = (...given: Parameters<typeof timelineJob>) => toDrawnJob(timelineJob(...given))

function shape({ groups }: TimelineData) {
  return Array.from({ length: groups.length() }, (_, index) => groups.at(index)?.jobIds.join(' '))
}

test('each timeline group contains the deliveries of one payment, and the newest group is first', () => {
  const data = createTimelineData()
  const item = { object_id: 'item', payment_id: 'p1' }

  data.addOlder([drawn('d'), drawn('e', { payment_id: 'p2' })])
  data.addOlder([drawn('a', item), drawn('b', { payment_id: 'p1' }), drawn('c', item)])
  data.addNewer(drawn('f'))

  expect(shape(data)).toEqual(['f', 'e', 'd', 'a b c'])
})

test('the deliveries of an object move to the group of a payment when the object joins the payment later', () => {
  const data = createTimelineData()
  data.addOlder([drawn('a', { object_id: 'item' }), drawn('b')])

  data.addNewer(drawn('c', { object_id: 'item', payment_id: 'p1' }))
  data.addNewer(drawn('d', { payment_id: 'p1' }))
  data.addNewer(drawn('e', { object_id: 'item', payment_id: 'p1' }))

  expect(shape(data)).toEqual(['a c d e', 'b', ''])
  expect(data.groups.groupOf('items', 'item')?.paymentId).toBe('p1')
})

test('each job appears once in the timeline despite repeated listings', () => {
  const data = createTimelineData()

  data.addNewer(drawn('c'))
  data.addOlder([drawn('a'), drawn('b'), drawn('c')])
  data.addNewer(drawn('b', { answers: { 0: 204 } }))

  expect([data.size(), shape(data)]).toEqual([3, ['c', 'b', 'a']])
})

test('loading a page of the timeline adds the earlier attempts of a job and does not replace a newer attempt', () => {
  const data = createTimelineData()
  const third = {
    ...drawn('a', { attempts: 3 }),
    attempts: [
      { number: 3, at: minute(9), status: 204, reason: null, manual: false, took_ms: 4, faults: [] },
    ],
  }

  data.addNewer(third)
  data.addOlder([
    drawn('a', {
      answers: { 0: 503, 5: 503 },
      due: 9,
    }),
  ])

  const job = data.job('a')
  expect(job?.attempts.map(({ number, status }) => [number, status])).toEqual([
    [1, 503],
    [2, 503],
    [3, 204],
  ])
  expect([job?.nextDueAt, data.nextDueAt()]).toEqual([null, undefined])
})

test('a repeated call about a known object is stored once', () => {
  const data = createTimelineData()
  data.addOlder([drawn('a', { object_id: 'item' })])
  const about = { id: 7, at: minute(1), operation: 'showItem', status: 200, faults: [] }
  const call = { ...about, object_type: 'items', object_id: 'item' }

  data.addCall(call)
  data.addCall(call)
  data.addCall({ ...call, object_id: 'other' })

  expect(data.groups.groupOf('items', 'item')?.calls).toEqual([call])
  expect(data.groups.groupOf('items', 'other')).toBeUndefined()
})
