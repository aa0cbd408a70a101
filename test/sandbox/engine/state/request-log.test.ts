import { expect, test } from 'vitest'
import { realTime } from '../../../../sandbox/adapters/real-time.ts'
import { createRequestLog } from '../../../../sandbox/engine/state/request-log.ts'

const CALL = { at: 0, method: 'GET', path: '/items', query: '', user_agent: null }

test('list() shows a call as it is until it is over, and writes it no more after that', () => {
  const log = createRequestLog(realTime)
  const call = log.begin(CALL)

  const [early] = log.list()
  call.operation = 'listItems'
  log.end(call, 200)
  const [late] = log.list()
  const [later] = log.list()

  expect([early, late]).toMatchObject([
    { operation: null, status: null, took_ms: null },
    { operation: 'listItems', status: 200, took_ms: expect.any(Number) },
  ])
  expect(later).toBe(late)
})
