import { expect, test } from 'vitest'
import type { BookDifference } from '../../../contracts/load/books.ts'
import { loadHtml, loadJson, loadText } from '../../../contracts/load/load-report.ts'
import { createRecorder } from '../../../contracts/load/measurements.ts'
import { HOSTILE_PAYLOADS } from '../../support/hostile-payloads.ts'
import { loadResult, measured } from '../support/load-results.ts'

const DEMANDS = { maxP99Ms: undefined }

const lost = (id: string): BookDifference => ({
  entry: { type: 'transactions', id, expected: { effects: 1 }, isKnown: true },
  effects: 0,
  difference: { expected: 'one effect', actual: 'no effect', symptom: 'missing-effect' },
})

const differences = (count: number): readonly BookDifference[] =>
  Array.from({ length: count }, (_, index) => lost(`5ec8-${index}`))

const differing = (count: number) =>
  loadResult({
    comparison: { kind: 'compared', objects: 5_000, compared: 5_000, differences: differences(count) },
  })

test('the load report text contains percentiles, responses, sender figures, compared effects and the conclusion', () => {
  const text = loadText(loadResult(), DEMANDS)

  expect(text).toMatch(/^latency {3}p50 1\.00 ms, p90 1\.00 ms, p99 1\.00 ms/m)
  expect(text).toMatch(/^answered {2}10, of which 10 were accepted \(204: 10\)$/m)
  expect(text).toMatch(/^sender {4}p99 0\.00 ms from due time to ready, .*0 of 512 connections/m)
  expect(text).toMatch(/^books {5}10 objects compared, all equal to the service$/m)
  expect(text.trimEnd().split('\n').at(-1)).toBe('✓ Your receiver passed 10 notifications a second for 1 s')
})

test('the load report names up to twenty differing objects and counts the remaining objects', () => {
  const text = loadText(differing(23), DEMANDS)

  expect(text).toContain('  transactions 5ec8-0: expected one effect, got no effect\n')
  expect(text).toContain('5ec8-19:')
  expect(text).not.toContain('5ec8-20:')
  expect(text).toContain('  and 3 more\n')
})

test('the load report contains no figures when the receiver is unreachable', () => {
  const result = loadResult({ unreached: 'nothing listens there' })

  expect(loadText(result, DEMANDS).trim()).toBe(
    '? No verdict: your receiver could not be reached\n  Nothing listens there',
  )
  expect(loadHtml(result, DEMANDS)).not.toContain('<svg')
})

const FIELDS = [
  'conclusion headline receiver seed started_at shape rate duration_ms content took_ms offered sent unsent answered accepted',
  'statuses reasons latency answer_time sender books intervals',
]

test.each([
  ['objects differ', differing(1_200), 'failed'],
  [
    'the receiver was not reached',
    loadResult({ unreached: 'x', measurements: createRecorder(0).result() }),
    'unreached',
  ],
])('the JSON load report contains each field and the conclusion when %s', (_, result, conclusion) => {
  const report = JSON.parse(loadJson(result, DEMANDS))

  expect(Object.keys(report)).toEqual(FIELDS.flatMap((line) => line.split(' ')))
  expect(report.conclusion).toBe(conclusion)
})

test('the JSON load report lists one thousand differences and counts all differences', () => {
  const { books } = JSON.parse(loadJson(differing(1_200), DEMANDS))

  expect([books.differing, books.differences.length]).toEqual([1_200, 1_000])
})

/** A load result in which every text from the receiver equals `said`. */
const saying = (said: string) =>
  loadResult({
    receiver: said,
    content: said,
    startedAt: said,
    measurements: { ...measured(), reasons: { [said]: 3 }, statuses: { [said]: 1 } },
    comparison: { kind: 'compared', objects: 1, compared: 1, differences: [lost(said)] },
  })

test('the load report never renders receiver text as markup', () => {
  for (const payload of HOSTILE_PAYLOADS) {
    const page = loadHtml(saying(payload), DEMANDS)

    expect(tagsOf(page)).toEqual(tagsOf(loadHtml(saying('x'), DEMANDS)))
    expect(page).not.toMatch(STEERING)
  }
})

test('the load report never prints terminal control characters from receiver text', () => {
  for (const payload of HOSTILE_PAYLOADS) {
    expect(loadText(saying(payload), DEMANDS)).not.toMatch(STEERING)
    expect(loadText(loadResult({ unreached: payload }), DEMANDS)).not.toMatch(STEERING)
  }
})

// oxlint-disable-next-line no-control-regex -- matches the characters that the report must not contain
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

function tagsOf(page: string): readonly string[] {
  return page.match(/<[^>]*>/g) ?? []
}

test('the HTML load report contains two charts and needs no network and no script', () => {
  const page = loadHtml(loadResult(), DEMANDS)

  expect(page.match(/<svg/g)).toHaveLength(2)
  expect(page).not.toMatch(/<script|<link|<img|https?:\/\/(?!localhost)|@import|url\(/)
  expect(page).not.toContain('NaN')
})
