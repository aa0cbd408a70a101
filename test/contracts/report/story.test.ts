import { expect, test } from 'vitest'
import { failed, PASSED } from '../../../contracts/finding.ts'
import { settled, storyOf } from '../../../contracts/report/story.ts'
import type { Moment } from '../../../contracts/run/run-result.ts'
import { resultOf, sentOf } from '../support/run-results.ts'

function sent(label: string, id: string, status = 204): Moment {
  const one = sentOf(label, { status })
  return {
    kind: 'sent',
    atMs: 0,
    sent: { ...one, request: { ...one.request, body: `{"items":{"id":"${id}"}}` } },
  }
}

function effects(id: string, count: number): Moment {
  return { kind: 'effects', atMs: 0, target: { type: 'items', id }, seen: { effects: count, state: null } }
}

const world: Moment = { kind: 'world', atMs: 0, text: 'A payment was begun.' }

const labels = (moments: readonly Moment[]) =>
  moments.map((moment) => (moment.kind === 'sent' ? moment.sent.label : moment.kind))

test('storyOf() tells of the object that the finding names', () => {
  const moments = [sent('a', 'first'), sent('b', 'second'), effects('first', 1), effects('second', 2), world]

  const story = storyOf(
    resultOf(failed('one effect for items second, because', '2 effects'), { moments }),
    10,
  )

  expect([labels(story.moments), story.isPart]).toEqual([['b', 'effects'], true])
})

test('storyOf() tells everything where the finding names nothing', () => {
  const moments = [world, sent('a', 'first'), effects('first', 1)]

  const story = storyOf(resultOf(failed('one effect', '2 effects'), { moments }), 10)

  expect([labels(story.moments), story.isPart]).toEqual([['world', 'a', 'effects'], false])
})

test('storyOf() leaves out what happened at the service before it leaves out what was sent', () => {
  const moments = [world, world, sent('a', 'first'), sent('b', 'first')]

  expect(labels(storyOf(resultOf(PASSED, { moments }), 2).moments)).toEqual(['a', 'b'])
})

test('storyOf() tells what is around the exchange that says it best', () => {
  const moments = Array.from({ length: 40 }, (_, index) =>
    sent(`n${index}`, 'first', index === 20 ? 500 : 204),
  )

  const story = storyOf(resultOf(failed('2xx', '500'), { moments }), 4)

  expect(labels(story.moments)).toEqual(['n18', 'n19', 'n20', 'n21'])
  expect(story.turn).toBe(moments[20])
})

test.each([
  ['the finding names', failed('a refusal', 'b was answered 204'), ['a', 'b', 'c'], 'b'],
  ['is the last', failed('no effect', 'one effect'), ['a', 'b', 'c'], 'c'],
  ['is no control', failed('no effect', 'one effect'), ['control before: a', 'b', 'control after: c'], 'b'],
])('storyOf() turns on the exchange that %s', (...row) => {
  const [, finding, names, label] = row
  const moments = names.map((name) => sent(name, 'first'))

  expect(storyOf(resultOf(finding, { moments }), 10).turn?.sent.label).toBe(label)
})

test('settled() leaves out what was read again and had not changed', () => {
  const moments = [
    effects('first', 0),
    effects('first', 0),
    effects('second', 0),
    effects('first', 0),
    effects('first', 1),
    effects('first', 1),
  ]

  expect(settled(moments)).toEqual([moments[0], moments[2], moments[4]])
})

test('settled() keeps what was read after something about the object was sent', () => {
  const moments = [
    effects('first', 0),
    sent('a', 'first'),
    effects('first', 0),
    sent('b', 'second'),
    effects('first', 0),
  ]

  expect(settled(moments)).toEqual(moments.slice(0, 4))
})
