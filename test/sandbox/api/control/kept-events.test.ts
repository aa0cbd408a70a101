import { expect, test } from 'vitest'
import { createKeptEvents } from '../../../../sandbox/api/control/events.ts'

const NOTHING = { onMore: () => {}, toGap: () => ({ type: 'gap' as const, at: '', data: {} }) }

test('the event log keeps fewer events when the events use much memory', () => {
  const events = createKeptEvents('r', NOTHING.toGap)
  const keepLong = (count: number, characters: number) => {
    for (let index = 0; index < count; index++)
      events.keep(() => ({ type: 'request', at: '', data: {} }), characters)
  }

  keepLong(15, 1_000_000)
  const slow = events.follow('r-0', NOTHING)
  expect(slow.isLost).toBe(false)
  keepLong(1, 1_000_000)
  expect(slow.isLost).toBe(true)
  expect(events.follow('r-8', NOTHING).next()?.id).toBe('r-9')
})

test('a follower with an id after the newest event gets the next event', () => {
  const events = createKeptEvents('r', NOTHING.toGap)
  const keep = () => events.keep(() => ({ type: 'object', at: '', data: {} }))
  keep()
  keep()
  const cursor = events.follow('r-9', NOTHING)
  keep()

  expect([cursor.next()?.id, cursor.next()]).toEqual(['r-3', undefined])
})
