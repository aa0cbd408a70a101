import { expect, test } from 'vitest'
import { UsageError } from '../../../sandbox/cli/failure.ts'
import { withoutUndefined, milliseconds, whole } from '../../../sandbox/cli/option-values.ts'

test.each([
  ['200', 1, 200],
  ['200ms', 1, 200],
  ['2s', 1, 2_000],
  ['10', 1_000, 10_000],
  ['0.5', 1_000, 500],
  ['500ms', 1_000, 500],
  ['1m30s', 1_000, 90_000],
  ['0', 1_000, 0],
])('milliseconds() reads %s, where a bare number counts %i ms, as %i', (text, bareMs, durationMs) => {
  expect(milliseconds('--timeout', bareMs)(text)).toBe(durationMs)
})

test.each(['', 'soon', '-1', '1e9', '9'.repeat(30)])('milliseconds() refuses "%s"', (text) => {
  expect(() => milliseconds('--timeout', 1)(text)).toThrow(UsageError)
})

test('whole() reads whole numbers within its range', () => {
  const read = whole('--times', { least: 1, most: 10 })

  expect(['1', '10'].map(read)).toEqual([1, 10])
  for (const text of ['0', '11', '', '1.5', '-1', '1e0', 'x']) {
    expect(() => read(text)).toThrow(`Cannot use --times "${text}": it takes a whole number from 1 to 10`)
  }
})

test('defined() leaves out what is not given, and keeps what is empty', () => {
  expect(withoutUndefined({ a: undefined, b: '', c: 0, d: false })).toEqual({ b: '', c: 0, d: false })
})
