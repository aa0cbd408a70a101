import { expect, test } from 'vitest'
import { startWalk } from '../support/walk.ts'
import { defaultSettings } from '../../sandbox/internal.ts'

test.each([
  ['24h', [5, 25, 105, 425]],
  ['five-attempts', [5, 25, 105, 425, 1705]],
])('the retries of the reading %s keep their offsets at a clock speed of 30,000', async (option, offsets) => {
  const fast = await startWalk({
    speed: 30_000,
    settings: { ...defaultSettings, readings: { 'retry-window': option } },
  })
  const attempts = 1 + offsets.length
  await fast.service('POST', '/webhooks', { url: fast.urlFor('webhooks', 'items'), object_type: 'items' })
  const ended = Promise.withResolvers<void>()
  fast.answer(() => {
    if (fast.received.length === attempts) ended.resolve()
    return 503
  })

  const { body } = await fast.bench('POST', '/objects/items', {})
  await ended.promise
  await expect.poll(async () => (await fast.bench('GET', '/jobs')).body.jobs[0].attempts).toBe(attempts)
  const { body: jobs } = await fast.bench('GET', `/jobs?object_id=${body.id}`)
  const { body: job } = await fast.bench('GET', `/jobs/${jobs.jobs[0].id}`)

  const [first] = job.attempts
  const due = job.attempts
    .slice(1)
    .map((attempt: { due_at: string }) => Date.parse(attempt.due_at) - Date.parse(first.ended_at))
  const early = job.attempts.filter(
    (attempt: { due_at: string; started_at: string }) => attempt.started_at < attempt.due_at,
  )
  expect([due, early]).toEqual([offsets.map((minutes) => minutes * 60_000), []])
  await fast.close()
})
