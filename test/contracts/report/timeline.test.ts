import { expect, test } from 'vitest'
import { toTimeline } from '../../../contracts/report/events.ts'
import type { RunEvent } from '../../../contracts/run/run-result.ts'
import { buildExchange } from '../support/run-results.ts'

const sent = (label: string, atMs: number, tookMs: number): RunEvent => ({
  kind: 'sent',
  atMs,
  exchange: buildExchange(label, { tookMs }),
})
const effects = (atMs: number): RunEvent => ({
  kind: 'effects',
  atMs,
  target: { type: 'items', id: 'i' },
  seen: { effects: 1, state: null },
})

const lines = (...events: readonly RunEvent[]) =>
  toTimeline(events).map(({ event, atMs, part }) => {
    if (event.kind !== 'sent') return `${atMs} ${event.kind}`
    if (part === 'answer') return `${atMs} answered`
    return `${atMs} ${event.exchange.label}${part === 'whole' ? ' and its answer' : ''}`
  })

test('the timeline lists a delivery at its start time and its response after the events in between', () => {
  expect(lines(effects(40), sent('a', 10, 50))).toEqual(['10 a', '40 effects', '60 answered'])
})

test('the timeline merges a delivery and its response when no event occurs in between', () => {
  expect(lines(sent('a', 10, 5), effects(20), sent('b', 30, 5))).toEqual([
    '10 a and its answer',
    '20 effects',
    '30 b and its answer',
  ])
})

test('the timeline lists effects after a delivery of the same millisecond', () => {
  expect(lines(effects(5), sent('a', 5, 1))).toEqual(['5 a', '5 effects', '6 answered'])
})
