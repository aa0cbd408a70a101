import { expect, test } from 'vitest'
import { failed, PASSED } from '../../../contracts/finding.ts'
import { withoutRepeatedReads, selectExcerpt } from '../../../contracts/report/excerpt.ts'
import type { RunEvent } from '../../../contracts/run/run-result.ts'
import { resultOf, sentOf } from '../support/run-results.ts'

function sent(label: string, id: string, status = 204): RunEvent {
  const one = sentOf(label, { status })
  return {
    kind: 'sent',
    atMs: 0,
    sent: { ...one, request: { ...one.request, body: `{"items":{"id":"${id}"}}` } },
  }
}

function effects(id: string, count: number): RunEvent {
  return { kind: 'effects', atMs: 0, target: { type: 'items', id }, seen: { effects: count, state: null } }
}

const world: RunEvent = { kind: 'world', atMs: 0, text: 'A payment was begun.' }

const labels = (events: readonly RunEvent[]) =>
  events.map((event) => (event.kind === 'sent' ? event.sent.label : event.kind))

test('storyOf() tells of the object that the finding names', () => {
  const events = [sent('a', 'first'), sent('b', 'second'), effects('first', 1), effects('second', 2), world]

  const excerpt = selectExcerpt(
    resultOf(failed('one effect for items second, because', '2 effects'), { events }),
    10,
  )

  expect([labels(excerpt.events), excerpt.isPart]).toEqual([['b', 'effects'], true])
})

test('storyOf() tells everything where the finding names nothing', () => {
  const events = [world, sent('a', 'first'), effects('first', 1)]

  const excerpt = selectExcerpt(resultOf(failed('one effect', '2 effects'), { events }), 10)

  expect([labels(excerpt.events), excerpt.isPart]).toEqual([['world', 'a', 'effects'], false])
})

test('storyOf() leaves out what happened at the service before it leaves out what was sent', () => {
  const events = [world, world, sent('a', 'first'), sent('b', 'first')]

  expect(labels(selectExcerpt(resultOf(PASSED, { events }), 2).events)).toEqual(['a', 'b'])
})

test('storyOf() tells what is around the exchange that says it best', () => {
  const events = Array.from({ length: 40 }, (_, index) =>
    sent(`n${index}`, 'first', index === 20 ? 500 : 204),
  )

  const excerpt = selectExcerpt(resultOf(failed('2xx', '500'), { events }), 4)

  expect(labels(excerpt.events)).toEqual(['n18', 'n19', 'n20', 'n21'])
  expect(excerpt.deciding).toBe(events[20])
})

test.each([
  ['the finding names', failed('a refusal', 'b was answered 204'), ['a', 'b', 'c'], 'b'],
  ['is the last', failed('no effect', 'one effect'), ['a', 'b', 'c'], 'c'],
  ['is no control', failed('no effect', 'one effect'), ['control before: a', 'b', 'control after: c'], 'b'],
])('storyOf() turns on the exchange that %s', (...row) => {
  const [, finding, names, label] = row
  const events = names.map((name) => sent(name, 'first'))

  expect(selectExcerpt(resultOf(finding, { events }), 10).deciding?.sent.label).toBe(label)
})

test('settled() leaves out what was read again and had not changed', () => {
  const events = [
    effects('first', 0),
    effects('first', 0),
    effects('second', 0),
    effects('first', 0),
    effects('first', 1),
    effects('first', 1),
  ]

  expect(withoutRepeatedReads(events)).toEqual([events[0], events[2], events[4]])
})

test('settled() keeps what was read after something about the object was sent', () => {
  const events = [
    effects('first', 0),
    sent('a', 'first'),
    effects('first', 0),
    sent('b', 'second'),
    effects('first', 0),
  ]

  expect(withoutRepeatedReads(events)).toEqual(events.slice(0, 4))
})
