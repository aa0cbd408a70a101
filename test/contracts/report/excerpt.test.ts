import { expect, test } from 'vitest'
import { failed, type Evidence, type Exchange } from '../../../contracts/finding.ts'
import { selectExcerpt, withoutRepeatedReads } from '../../../contracts/report/excerpt.ts'
import type { RunEvent } from '../../../contracts/run/run-result.ts'
import { buildExchange, buildResult, CALL } from '../support/run-results.ts'

const item = (id: string) => ({ type: 'items', id }) as const

function sent(label: string, id: string, fields: { status?: number; role?: 'control' } = {}) {
  const { request } = buildExchange(label)
  const exchange = buildExchange(label, {
    about: item(id),
    status: 204,
    request: { ...request, body: label },
    ...fields,
  })
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

test('selectExcerpt() includes the events of the objects in the evidence', () => {
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

const b = sent('b', 'second')

test.each<readonly [what: string, events: readonly RunEvent[], evidence: Evidence, shown: readonly string[]]>(
  [
    [
      'the exchanges of the evidence and the events of their objects',
      [step('first'), sent('a', 'first'), b, effects('second', 2)],
      { exchanges: [b.exchange] },
      ['b', 'effects'],
    ],
    [
      'process stops and starts for any object',
      [step('other'), step(), sent('a', 'first')],
      { objects: [item('first')] },
      ['world', 'a'],
    ],
  ],
)('selectExcerpt() includes %s', (_, ...[events, evidence, shown]) => {
  expect(labels(excerpt(events, evidence).events)).toEqual(shown)
})

const many = Array.from({ length: 40 }, (_, index) => sent(`n${index}`, 'first'))

test('selectExcerpt() includes the events around the deciding exchange', () => {
  const { events, deciding } = excerpt(many, { exchanges: [sentAt(20)] }, 4)

  expect(labels(events)).toEqual(['n18', 'n19', 'n20', 'n21'])
  expect(deciding).toBe(many[20])
})

function sentAt(index: number): Exchange {
  return many[index]?.exchange ?? buildExchange('none')
}

test('selectExcerpt() merges identical deliveries, even with calls in between', () => {
  const copy = (number: number) => {
    const one = sent('a', 'first')
    return { ...one, exchange: { ...one.exchange, label: `a, copy ${number}` } }
  }
  const call: RunEvent = {
    kind: 'called',
    atMs: 0,
    request: { ...CALL, object_type: 'items', object_id: 'first' },
  }
  const events = [copy(1), copy(2), call, copy(3), effects('first', 1), copy(4)]

  const { events: part, isPart } = excerpt(events, { objects: [item('first')] })

  expect(part.map((event) => ('times' in event ? event.times : event.kind))).toEqual([
    3,
    'called',
    'effects',
    'sent',
  ])
  expect(isPart).toBe(false)
})

const before = sent('before', 'first', { role: 'control' })
const accepted = sent('accepted', 'first')
const refused = sent('refused', 'first', { status: 422 })
const after = sent('after', 'first', { role: 'control' })
const around = [before, accepted, refused, after]

test.each<
  readonly [what: string, events: readonly RunEvent[], evidence: Evidence, label: string | undefined]
>([
  [
    'the evidence names, even when the receiver rejected another exchange',
    around,
    { exchanges: [accepted.exchange] },
    'accepted',
  ],
  [
    'the evidence names, even when it is a control delivery',
    around,
    { exchanges: [after.exchange] },
    'after',
  ],
  [
    'does not exist, as two deliveries are about the deciding object',
    [accepted, refused],
    { objects: [item('first')] },
    undefined,
  ],
])('selectExcerpt() finds the deciding exchange that %s', (_, ...[events, evidence, label]) => {
  expect(excerpt(events, evidence).deciding?.exchange.label).toBe(label)
})

const [none, acted] = [effects('first', 0), effects('first', 1)]

test.each<readonly [what: string, events: readonly RunEvent[], kept: readonly number[]]>([
  [
    'removes a repeated effects read when the effects are unchanged',
    [none, none, effects('second', 0), none, acted, acted],
    [0, 2, 4],
  ],
  [
    'keeps an effects read that follows a notification about the same object',
    [none, sent('a', 'first'), effects('first', 0), sent('b', 'second'), none],
    [0, 1, 2, 3],
  ],
])('withoutRepeatedReads() %s', (_, ...[events, kept]) => {
  expect(withoutRepeatedReads(events)).toEqual(kept.map((index) => events[index]))
})
