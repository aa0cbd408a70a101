import { expect, test } from 'vitest'
import { run, RUN_DAYS } from './run.ts'
import { drawPlan, formatFailedSeed, trySeed } from './seeds.ts'
import { START } from './world/incarnation.ts'

const SEEDS = 200

test(`whatever is done, and wherever it is killed, every invariant holds: ${SEEDS} seeds of ${RUN_DAYS} days`, async () => {
  const failures: string[] = []
  for (let seed = 0; seed < SEEDS; seed++) {
    const failed = await trySeed(seed)
    if (failed) failures.push(formatFailedSeed(failed))
  }

  expect(failures.join('\n')).toBe('')
})

test('the same seed has the same plan and the same trace, and another one another', async () => {
  const [first, again] = [drawPlan(7), drawPlan(7)]
  const traces = [await run(first), await run(again), await run(drawPlan(8))].map(({ trace }) => trace)

  expect(again).toEqual(first)
  expect(traces[1]).toBe(traces[0])
  expect(traces[2]).not.toBe(traces[0])
})

test('the seeds come to crashes of both kinds, to retries, lists, refusals and payments', async () => {
  const seen = new Set<string>()
  for (let seed = 0; seed < 40; seed++) {
    const { history, model, endedAt } = await run(drawPlan(seed))
    for (const { kind } of history.crashes) seen.add(kind)
    for (const { list } of history.listings) seen.add(list)
    if (history.calls.some(({ answer }) => answer?.status === 409)) seen.add('refused')
    if (model.payments.size > 0) seen.add('payment')
    if (model.jobs.some(({ attempts }) => attempts.length > 2)) seen.add('retried')
    if (model.jobs.some(({ attempts }) => attempts.some(({ head }) => head.reason === 'interrupted')))
      seen.add('interrupted')
    expect(endedAt - START).toBeGreaterThan(RUN_DAYS * 24 * 3_600_000)
  }

  const expected = ['killed', 'power-lost', 'closed', 'refused', 'payment', 'retried', 'interrupted']
  const lists = ['failed-jobs', 'jobs', 'job', 'callback-responses', 'webhooks', 'shown', 'control-failed']
  expect([...expected, ...lists].filter((what) => !seen.has(what))).toEqual([])
})
