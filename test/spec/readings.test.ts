import { expect, test } from 'vitest'
import { formatDuration, parseDuration, readings, readingValues } from '../../spec/readings.ts'

test('readingValues() gives every setting its default', () => {
  expect(readingValues()).toEqual({
    'retry-window': '24h',
    'retry-body': 'snapshot',
    'pending-retries': 'follow-registration',
    'delivery-deadline': 10_000,
    'test-text': 'Payments service notification test',
    'job-recording-lag': 200,
    'record-timestamps': 'nanoseconds',
    'access-token-lifetime': 3_600_000,
    'accompanying-notifications': 'as-6.2',
    'callback-list': 'current',
    'callback-retry': 'none',
    'disbursement-changes': 'notified',
    'empty-lists': 'omitted',
    environment: 'pre-live',
    'realtime-payout-sequence': 'with-processing',
    settlement: 'at-once',
    signature: 'hmac',
    'unknown-object': 'not-found',
    'withdraw-kind': 'direct-credit',
  })
})

test('readingValues() takes an option and names the others when it is wrong', () => {
  expect(readingValues({ 'retry-window': 'five-attempts' })['retry-window']).toBe('five-attempts')
  expect(() => readingValues({ 'retry-window': '48h' })).toThrow('its options are 24h, five-attempts')
  expect(() => readingValues({ 'retry-windows': '24h' })).toThrow('Cannot set reading "retry-windows"')
  expect(() => readingValues({ 'job-recording-lag': 'soon' })).toThrow('it takes a duration such as')
  expect(() => readingValues({ 'delivery-deadline': '0s' })).toThrow('it takes 1ms or more')
  expect(readingValues({ 'job-recording-lag': '0s' })['job-recording-lag']).toBe(0)
})

test('every reading says where, what and why, and its default is one of its options', () => {
  for (const { id, source, about, why, options, default: fallback } of readings) {
    expect(
      source.every((section) => /^§\d+(\.\d+)?$/.test(section)),
      id,
    ).toBe(true)
    expect(Math.min(source.length, about.length, why.length), id).toBeGreaterThan(0)
    expect(options === undefined || Object.hasOwn(options, fallback), id).toBe(true)
  }
  expect(new Set(readings.map(({ id }) => id)).size).toBe(readings.length)
})

test.each([
  ['25m', 1_500_000],
  ['1h45m', 6_300_000],
  ['200ms', 200],
  ['1.5s', 1_500],
  ['', undefined],
  ['5', undefined],
  ['-5m', undefined],
  ['5 m', undefined],
  ['1e9d', undefined],
  ['999999999999999d', undefined],
])('parseDuration() reads "%s" as %s', (text, expected) => {
  expect(parseDuration(text)).toBe(expected)
})

test('formatDuration() writes what parseDuration() reads', () => {
  const texts = ['0ms', '200ms', '1h45m', '1d4h', '2d1h1m1s1ms']

  expect(texts.map((text) => formatDuration(parseDuration(text) ?? Number.NaN))).toEqual(texts)
})
