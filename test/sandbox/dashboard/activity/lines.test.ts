import { expect, test } from 'vitest'
import { createFilter, listLines, withCrafted } from '../../../../sandbox/dashboard/activity/lines.ts'
import { toDrawnJob, createTimelineData } from '../../../../sandbox/dashboard/data/timeline-data.ts'
import { payment } from '../../../support/control-records.ts'
import { minute, timelineJob } from '../timeline-jobs.ts'

const data = createTimelineData()
data.addOlder(
  [
    timelineJob('a', { payment_id: 'p1', object_id: 'Item-1' }),
    timelineJob('b', { payment_id: 'p1', object_type: 'transactions', state: 'failed' }),
    timelineJob('c', { answers: { 0: 503 }, last: 'http_503' }),
  ].map(toDrawnJob),
)
data.addPayment(payment({ id: 'p1', kind: 'card-payin', amount: 12_500, currency: 'AUD' }))

const ALL = { start: 0, end: 100 }
const NONE: ReadonlySet<string> = new Set()
const lines = (text: string, result: 'all' | 'failed' | 'open' = 'all', found = NONE) =>
  listLines(data, ALL, createFilter({ text, result, found }, data)).map(({ key }) => key)

test('a dashboard search finds the deliveries of a payment by its name and amount', () => {
  expect(lines('card pay-in')).toEqual(['p1', 'b', 'a'])
  expect(lines('AUD 125.00')).toEqual(['p1', 'b', 'a'])
})

test('the filter "failed" shows failed attempts, and the filter "open" shows deliveries with a next attempt', () => {
  const recovered = timelineJob('d', {
    answers: { 0: 503, 5: 204 },
    last: '204',
  })
  const waiting = timelineJob('e', { answers: { 0: 503 }, due: 5, last: 'http_503' })
  const later = createTimelineData()
  later.addOlder([timelineJob('f', { answers: { 0: 204 }, last: '204' }), recovered, waiting].map(toDrawnJob))
  const only = (result: 'failed' | 'open') =>
    listLines(later, ALL, createFilter({ text: '', result, found: NONE }, later)).map(({ key }) => key)

  expect(lines('', 'failed')).toEqual(['c'])
  expect(only('failed')).toEqual(['e', 'd'])
  expect(only('open')).toEqual(['e'])
})

test('the activity list sorts a crafted delivery by its time', () => {
  const crafted = (id: string, at: number) => ({
    id,
    crafted: true as const,
    at: new Date(at).toISOString(),
    url: 'https://localhost',
    registration_id: null,
    request: { headers: [], body: '', body_base64: '' },
    exchanges: [],
  })
  const all = listLines(data, ALL, undefined)

  const merged = withCrafted(all, [crafted('late', minute(9)), crafted('early', minute(-9))], data)

  expect(merged.map(({ key }) => key)).toEqual(['late', 'c', 'p1', 'b', 'a', 'early'])
})
