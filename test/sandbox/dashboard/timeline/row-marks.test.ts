import { expect, test } from 'vitest'
import { toDrawnJob } from '../../../../sandbox/dashboard/data/job.ts'
import { createTimelineData } from '../../../../sandbox/dashboard/data/timeline-data.ts'
import { findMarks } from '../../../../sandbox/dashboard/timeline/row-marks.ts'
import { createScale } from '../../../../sandbox/dashboard/timeline/scale.ts'
import { minute, timelineJob } from '../timeline-jobs.ts'

const scale = createScale({ from: minute(0), to: minute(100) }, 1_000)

function rowOf(...jobs: readonly ReturnType<typeof timelineJob>[]) {
  const data = createTimelineData()
  data.addOlder(jobs.map((each) => toDrawnJob({ ...each, job: { ...each.job, object_id: 'item' } })))
  data.addCall('items', 'item', { id: 1, at: minute(50), operation: 'showItem', status: 200 })
  return data.row('items', 'item') ?? expect.fail()
}

test('attempts are dots or crosses, the next is hollow, and a bar ends with the retries', () => {
  const failed = timelineJob('a', {
    answers: [
      [10, 503],
      [15, 204],
    ],
  })
  const waiting = timelineJob('b', { answers: [[20, 500]], due: 25 })

  const marks = findMarks(rowOf(failed, waiting), scale)

  expect(marks.map(({ kind, x, end }) => [kind, Math.round(x), Math.round(end)])).toEqual([
    ['waiting', 200, 4_450],
    ['call', 500, 500],
    ['failed', 100, 100],
    ['delivered', 150, 150],
    ['failed', 200, 200],
    ['due', 250, 250],
  ])
  expect(marks.find(({ kind }) => kind === 'due')).toMatchObject({
    jobId: 'b',
    title: 'items completed: attempt 2 is due at 2026-01-01 00:25:00.000',
  })
})

test('overlapping marks are drawn side by side, near their instant', () => {
  const many = Array.from({ length: 12 }, (_, index) => timelineJob(`j${index}`, { answers: [[10, 204]] }))

  const places = findMarks(rowOf(...many), scale)
    .filter(({ kind }) => kind === 'delivered')
    .map(({ x }) => x)

  expect(places.slice(0, 3)).toEqual([100, 111, 122])
  expect(Math.max(...places)).toBe(166)
})

test('marks out of sight are not drawn', () => {
  const early = timelineJob('a', { answers: [[-60, 204]] })
  const late = timelineJob('b', { answers: [[200, 204]] })

  expect(findMarks(rowOf(early, late), scale).map(({ kind }) => kind)).toEqual(['call'])
})
