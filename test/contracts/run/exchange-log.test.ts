import { expect, test } from 'vitest'
import { createExchangeLog } from '../../../contracts/run/run-result.ts'

test('an event has its start time within the check', () => {
  const clock = { now: 100 }
  const log = createExchangeLog(() => clock.now)
  clock.now = 110
  const beganAt = log.now()
  clock.now = 150

  log.add({ kind: 'world', text: 'slow', about: [] }, beganAt)
  log.add({ kind: 'world', text: 'now', about: [] })

  expect(log.events.map(({ atMs }) => atMs)).toEqual([10, 50])
})
