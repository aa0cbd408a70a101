import { expect, test } from 'vitest'
import type { RunSummary } from '../../../../spec/generated/control-types.ts'
import { formatCheck, groupOutcomes, runText } from '../../../../sandbox/dashboard/workshop/run-report.ts'

test('groupOutcomes() puts failures first', () => {
  const outcomes = (['passed', 'not_observable', 'failed', 'passed', 'failed'] as const).map(
    (verdict, index) => ({ id: String(index), verdict, actual: null }),
  )

  const groups = groupOutcomes(outcomes).map(([verdict, group]) => [verdict, group.map(({ id }) => id)])

  expect(groups).toEqual([
    ['failed', ['2', '4']],
    ['not_observable', ['1']],
    ['passed', ['0', '3']],
  ])
})

const RUN: RunSummary = {
  id: 'r-1',
  kind: 'checks',
  about: 'all checks',
  status: 'running',
  started_at: '2026-01-01T00:00:00.000Z',
  ended_at: null,
  progress: { done: 3, total: 110, text: 'x', check: null },
  conclusion: null,
  headline: null,
  error: null,
}

test.each<[Partial<RunSummary>, string]>([
  [{}, '3 of 110'],
  [{ progress: { ...RUN.progress, total: null } }, '3 of …'],
  [{ status: 'ended', conclusion: 'failed' }, 'failed'],
  [{ status: 'stopped' }, 'stopped'],
])('runText() shows a run with %j as %s', (change, text) => {
  expect(runText({ ...RUN, ...change })).toBe(text)
})

test('formatCheck() returns the command for all checks or for one check', () => {
  expect([formatCheck(), formatCheck('order/final-then-earlier')]).toEqual([
    'npx hookbench check --attach',
    'npx hookbench check order/final-then-earlier --attach',
  ])
})

test('formatCheck() names the data folder and the world', () => {
  expect(formatCheck('http', { data: '.hookbench-demo', world: 'anna' })).toBe(
    'npx hookbench check http --attach --data .hookbench-demo --world anna',
  )
})
