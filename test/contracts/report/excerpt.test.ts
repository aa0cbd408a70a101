import { expect, test } from 'vitest'
import { failed, PASSED, type Evidence } from '../../../contracts/finding.ts'
import { selectExcerpt, withoutRepeatedReads } from '../../../contracts/report/excerpt.ts'
import type { RunEvent } from '../../../contracts/run/run-result.ts'
import { buildExchange, buildResult } from '../support/run-results.ts'

const item = (id: string) => ({ type: 'items', id }) as const

function sent(label: string, id: string, fields: { status?: number; role?: 'control' } = {}) {
  const exchange = buildExchange(label, { about: item(id), status: 204, ...fields })
  return { kind: 'sent', atMs: 0, exchange } as const
}

function effects(id: string, count: number): RunEvent {
  return { kind: 'effects', atMs: 0, target: item(id), seen: { effects: count, state: null } }
}

const step = (...ids: readonly string[]): RunEvent => ({
  kind: 'world',
  atMs: 0,
  text: 'A payment was begun.',
  about: ids.map(item),
})

const labels = (events: readonly RunEvent[]) =>
  events.map((event) => (event.kind === 'sent' ? event.exchange.label : event.kind))

const excerpt = (events: readonly RunEvent[], evidence: Evidence, most = 10) =>
  selectExcerpt(buildResult(failed('one effect', '2 effects', evidence), { events }), most)

test('selectExcerpt() takes what happened to the objects of the evidence', () => {
  const events = [
    step('first'),
    step('second'),
    sent('a', 'first'),
    sent('b', 'second'),
    effects('first', 1),
    effects('second', 2),
  ]

  const { events: part, isPart } = excerpt(events, { objects: [item('second')] })

  expect([labels(part), isPart]).toEqual([['world', 'b', 'effects'], true])
})

test('selectExcerpt() tells objects of two types with one id apart', () => {
  const events = [sent('a', 'first'), sent('b', 'second')]

  const { events: part } = excerpt(events, { objects: [{ type: 'users', id: 'first' }, item('second')] })

  expect(labels(part)).toEqual(['b'])
})

test('selectExcerpt() takes the exchanges of the evidence, and what happened to their objects', () => {
  const b = sent('b', 'second')
  const events = [step('first'), sent('a', 'first'), b, effects('second', 2)]

  expect(labels(excerpt(events, { exchanges: [b.exchange] }).events)).toEqual(['b', 'effects'])
})

test('selectExcerpt() takes everything where the evidence names nothing', () => {
  const events = [step(), sent('a', 'first'), effects('first', 1)]

  const { events: all, isPart } = excerpt(events, {})

  expect([labels(all), isPart]).toEqual([['world', 'a', 'effects'], false])
})

test('selectExcerpt() leaves out what happened at the service before it leaves out what was sent', () => {
  const events = [step('first'), step('first'), sent('a', 'first'), sent('b', 'first')]

  expect(labels(selectExcerpt(buildResult(PASSED, { events }), 2).events)).toEqual(['a', 'b'])
})

test('selectExcerpt() takes what is around the deciding exchange', () => {
  const events = Array.from({ length: 40 }, (_, index) =>
    sent(`n${index}`, 'first', { status: index === 20 ? 500 : 204 }),
  )

  const { events: part, deciding } = excerpt(events, {}, 4)

  expect(labels(part)).toEqual(['n18', 'n19', 'n20', 'n21'])
  expect(deciding).toBe(events[20])
})

const before = sent('before', 'first', { role: 'control' })
const accepted = sent('accepted', 'first')
const refused = sent('refused', 'first', { status: 422 })
const after = sent('after', 'first', { role: 'control' })

test.each<[string, Evidence, string]>([
  ['the evidence names, though another was refused', { exchanges: [accepted.exchange] }, 'accepted'],
  [
    'the evidence names and that was refused',
    { exchanges: [accepted.exchange, refused.exchange] },
    'refused',
  ],
  ['the evidence names, though it is a control', { exchanges: [after.exchange] }, 'after'],
  ['was refused, where the evidence names nothing', {}, 'refused'],
])('selectExcerpt() decides by the exchange that %s', (_, evidence, label) => {
  const { deciding } = excerpt([before, accepted, refused, after], evidence)

  expect(deciding?.exchange.label).toBe(label)
})

test('selectExcerpt() decides by what was sent last about the objects, though an earlier delivery was refused', () => {
  const again = sent('again', 'first')

  const { deciding } = excerpt([before, refused, again, after], { objects: [item('first')] })

  expect(deciding?.exchange.label).toBe('again')
})

test('selectExcerpt() decides by the last exchange that is no control, where none was refused', () => {
  expect(excerpt([before, accepted, after], {}).deciding?.exchange.label).toBe('accepted')
})

test('selectExcerpt() says whether something came before what it has', () => {
  const events = Array.from({ length: 9 }, (_, index) => sent(`n${index}`, 'first'))

  expect([excerpt(events, {}, 4).hasEarlier, excerpt(events, {}, 9).hasEarlier]).toEqual([true, false])
})

test('withoutRepeatedReads() leaves out what was read again and had not changed', () => {
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

test('withoutRepeatedReads() keeps what was read after something about the object was sent', () => {
  const events = [
    effects('first', 0),
    sent('a', 'first'),
    effects('first', 0),
    sent('b', 'second'),
    effects('first', 0),
  ]

  expect(withoutRepeatedReads(events)).toEqual(events.slice(0, 4))
})
