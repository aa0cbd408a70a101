import { expect, test } from 'vitest'
import { createKeptEvents } from '../../../../sandbox/api/control/events.ts'

const NOTHING = { onMore: () => {}, toGap: () => ({ type: 'gap' as const, at: '', data: {} }) }

/** Creates kept events and counts how often they are serialized. */
function kept(count: number) {
  const events = createKeptEvents('r')
  let written = 0
  const keep = (more: number) => {
    for (let index = 0; index < more; index++)
      events.keep(() => {
        written++
        return { type: 'object', at: '', data: {} }
      })
  }
  keep(count)
  return { events, keep, written: () => written }
}

test('no event is serialized when a thousand event readers do not read', () => {
  const { events, keep, written } = kept(10_000)
  const cursors = Array.from({ length: 1_000 }, () => events.follow('0', NOTHING))

  keep(10_000)

  expect(written()).toBe(0)
  expect(cursors[0]?.next()?.id).toBe('r-1')
  expect(written()).toBe(1)
})

test('an event for a thousand readers is serialized once', () => {
  const { events, keep, written } = kept(0)
  const cursors = Array.from({ length: 1_000 }, () => events.follow('r-0', NOTHING))

  keep(1)

  expect(new Set(cursors.map((cursor) => cursor.next())).size).toBe(1)
  expect(written()).toBe(1)
})

test('the event log keeps fewer events when they use much memory', () => {
  const { events } = kept(0)
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
  const { events, keep } = kept(2)
  const cursor = events.follow('r-9', NOTHING)
  keep(1)

  expect([cursor.next()?.id, cursor.next()]).toEqual(['r-3', undefined])
})
