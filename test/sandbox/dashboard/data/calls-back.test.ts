import { expect, test } from 'vitest'
import { findCallsBack } from '../../../../sandbox/dashboard/data/calls-back.ts'
import { toDrawnJob, createTimelineData } from '../../../../sandbox/dashboard/data/timeline-data.ts'
import { minute, timelineJob } from '../timeline-jobs.ts'

test('a call back is assigned to the last delivery of its object before the call', () => {
  const data = createTimelineData()
  const about = { object_id: 'one', payment_id: 'p1' }
  data.addOlder(
    [
      timelineJob('a', {
        ...about,
        answers: { 0: 503, 20: 204 },
      }),
      timelineJob('b', { ...about, made: 10, answers: { 10: 204 } }),
      timelineJob('c', { ...about, object_id: 'other', made: 12, answers: { 12: 204 } }),
    ].map(toDrawnJob),
  )
  for (const [id, at] of [1, 11, 15, 21].entries()) {
    const call = { object_type: 'items', object_id: 'one', operation: 'showItem', status: 200, faults: [] }
    data.addCall({ ...call, id, at: minute(at) })
  }

  const idsOf = (job: string) => findCallsBack(data.job(job) ?? expect.fail(), data).map(({ id }) => id)

  expect(['a', 'b', 'c'].map(idsOf)).toEqual([[0, 3], [1, 2], []])
})

test('a call back is not assigned to a delivery that a fault dropped', () => {
  const data = createTimelineData()
  const about = { object_id: 'one', payment_id: 'p1' }
  data.addOlder([toDrawnJob(timelineJob('a', { ...about, answers: { 0: 204 } }))])
  const dropped = toDrawnJob(timelineJob('b', { ...about, made: 5, answers: { 5: 503 } }))
  data.addNewer({
    ...dropped,
    attempts: dropped.attempts.map((attempt) => ({ ...attempt, reason: 'dropped_by_fault' })),
  })
  const call = { object_type: 'items', object_id: 'one', operation: 'showItem', status: 200, faults: [] }
  data.addCall({ ...call, id: 1, at: minute(6) })

  const countOf = (job: string) => findCallsBack(data.job(job) ?? expect.fail(), data).length
  expect(['a', 'b'].map(countOf)).toEqual([1, 0])
})
