import { expect, test } from 'vitest'
import { START, testSandbox } from '../../support/test-sandbox.ts'

test('advance moves the clock by a duration or to an instant, and counts the attempts on the way', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 500) })
  await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()

  const by = await sandbox.control('POST', '/clock/advance', { by: '25m' })
  const to = await sandbox.control('POST', '/clock/advance', { to: '2026-01-01T01:45:00.000Z' })

  expect([by.body, to.body]).toEqual([
    { now: '2026-01-01T00:25:00.000Z', attempts: 2 },
    { now: '2026-01-01T01:45:00.000Z', attempts: 1 },
  ])
  expect((await sandbox.control('GET', '/clock')).body).toEqual({
    mode: 'manual',
    speed: 0,
    now: to.body.now,
  })
})

test.each([
  [{}, 'give one of "by" and "to"'],
  [{ by: '1m', to: '2026-01-02T00:00:00.000Z' }, 'give one of "by" and "to"'],
  [{ by: 'soon' }, 'it takes a duration such as 25m'],
  [{ by: '-5m' }, 'it takes a duration such as 25m'],
  [{ by: '3000000d' }, 'the last instant is 9999-12-31T23:59:59.999Z'],
  [{ to: '2025-12-31T00:00:00.000Z' }, 'never goes back'],
  [{ to: 'tomorrow' }, 'it takes an instant such as'],
  [{ by: 25 }, 'By 25 must be string'],
])('advance refuses %j', async (sent, message) => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.control('POST', '/clock/advance', sent)

  expect(status).toBe(422)
  expect(body.error.message).toContain(message)
  expect(sandbox.context.now()).toBe(START)
})

test('a virtual month passes in a moment, with every retry at its instant', async () => {
  const sandbox = testSandbox({
    script: (_, index) => (index === 0 ? 200 : 500),
    readings: { 'retry-window': 'five-attempts' },
  })
  await sandbox.register()
  for (let index = 0; index < 50; index++) await sandbox.control('POST', '/objects/items', {})

  const { body } = await sandbox.control('POST', '/clock/advance', { by: '30d' })

  expect(body).toEqual({ now: '2026-01-31T00:00:00.000Z', attempts: 250 })
  expect(sandbox.attempts.every(({ due_at, started_at }) => due_at === started_at)).toBe(true)
})
