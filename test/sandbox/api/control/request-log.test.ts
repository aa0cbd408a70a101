import { expect, test } from 'vitest'
import { realTime } from '../../../../sandbox/adapters/real-time.ts'
import { createRequestLog } from '../../../../sandbox/api/control/request-log.ts'

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

test('list() shows the first 4,096 characters of what a caller may make long', () => {
  const log = createRequestLog(realTime)
  const long = 'x'.repeat(16_000)
  const call = log.begin({ ...CALL, path: `/items/${long}`, query: `?${long}`, user_agent: long })

  call.objectId = long
  log.end(call, 404)
  const [record] = log.list()

  expect([record?.path.length, record?.object_id?.length, record?.user_agent?.length]).toEqual([
    2 * 4_099,
    4_099,
    4_099,
  ])
})

test('list() shows the newest calls, of long ones fewer than 10,000', () => {
  const log = createRequestLog(realTime)

  for (let count = 0; count < 20_000; count++) log.begin({ ...CALL, path: '/'.repeat(4_096) })
  const listed = log.list()

  expect(listed.length).toBeLessThan(4_000)
  expect(listed.at(-1)?.id).toBe(20_000)
})
