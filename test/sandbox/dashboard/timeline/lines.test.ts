import { expect, test } from 'vitest'
import { toDrawnJob } from '../../../../sandbox/dashboard/data/job.ts'
import { createTimelineData } from '../../../../sandbox/dashboard/data/timeline-data.ts'
import { createFilter, listJobs, listLines } from '../../../../sandbox/dashboard/timeline/lines.ts'
import { timelineJob } from '../timeline-jobs.ts'

const data = createTimelineData()
data.addOlder(
  [
    timelineJob('a', { payment_id: 'p1', object_id: 'Item-1' }),
    timelineJob('b', { payment_id: 'p1', object_type: 'transactions', state: 'failed' }),
    timelineJob('c', { answers: [[0, 503]], last: 'http_503' }),
  ].map(toDrawnJob),
)

const ALL = { start: 0, end: 100 }
const lines = (filter: string) => listLines(data, ALL, createFilter(filter)).map(({ key }) => key)

test('a payment has a heading above its objects', () => {
  expect(lines('')).toEqual(['items/object-of-c', 'p1', 'items/Item-1', 'transactions/object-of-b'])
})

test('an object that comes to belong to a payment is drawn as a part of it', () => {
  const joined = createTimelineData()
  const isInner = () => listLines(joined, ALL).map((line) => line.kind === 'object' && line.isInner)

  joined.addOlder([timelineJob('a', { object_id: 'Item-1' })].map(toDrawnJob))
  expect(isInner()).toEqual([false])

  joined.addOlder([timelineJob('b', { object_id: 'Item-1', payment_id: 'p1' })].map(toDrawnJob))
  expect(isInner()).toEqual([false, true])
})

test('a search keeps lines that have every word, with their heading', () => {
  expect(lines('p1 FAILED')).toEqual(['p1', 'transactions/object-of-b'])
  expect(lines('Item-1')).toEqual(['p1', 'items/Item-1'])
  expect(lines('nothing')).toEqual([])
  expect(listJobs(data, ALL, createFilter(' 503 '))).toEqual(['c'])
  expect(listJobs(data, ALL)).toEqual(['c', 'b', 'a'])
})

test('a part of the groups has their lines only', () => {
  expect(listLines(data, { start: 1, end: 9 }).map(({ key }) => key)).toEqual(lines('').slice(1))
  expect(listJobs(data, { start: 1, end: 2 })).toEqual(['b'])
})
