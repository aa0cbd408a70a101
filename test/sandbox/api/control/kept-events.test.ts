import { expect, test } from 'vitest'
import { createKeptEvents } from '../../../../sandbox/api/control/events.ts'

const ignore = () => {}
const GAPS = { format: () => undefined, toGap: () => ({ type: 'gap' as const, at: '', data: {} }) }

test('the event log keeps fewer events when the events use much memory', () => {
  const events = createKeptEvents('r', GAPS)
  const keepLong = (count: number, characters: number) => {
    for (let index = 0; index < count; index++)
      events.keep(() => ({ type: 'request', at: '', data: {} }), characters)
  }

  keepLong(15, 1_000_000)
  const slow = events.follow('r-0', ignore)
  expect(slow.isLost).toBe(false)
  keepLong(1, 1_000_000)
  expect(slow.isLost).toBe(true)
  expect(events.follow('r-8', ignore).next()?.id).toBe('r-9')
})

test('a follower with an id after the newest event gets the next event', () => {
  const events = createKeptEvents('r', GAPS)
  const keep = () => events.keep(() => ({ type: 'object', at: '', data: {} }))
  keep()
  keep()
  const cursor = events.follow('r-9', ignore)
  keep()

  expect([cursor.next()?.id, cursor.next()]).toEqual(['r-3', undefined])
})

test('a follower gets a gap event in place of the event of a damaged entry', () => {
  const events = createKeptEvents('r', GAPS)
  events.keep(7)
  events.keep(() => ({ type: 'object', at: '', data: {} }))
  const cursor = events.follow('0', ignore)

  expect([cursor.next(), cursor.next()]).toMatchObject([
    { id: 'r-1', type: 'gap' },
    { id: 'r-2', type: 'object' },
  ])
})
