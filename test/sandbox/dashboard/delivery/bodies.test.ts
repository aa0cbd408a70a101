import { expect, test } from 'vitest'
import { diffLines, prettyJson, splitOddCharacters } from '../../../../sandbox/dashboard/delivery/bodies.ts'

test('JSON is laid out as usual', () => {
  const value = { a: [1, 'x, {y}: "z"\\'], b: {}, c: [], d: { e: null, f: [{ g: true }] } }

  expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
  expect(prettyJson(JSON.stringify(value, null, 7))).toBe(JSON.stringify(value, null, 2))
})

test('numbers, escapes and repeated fields keep their spelling', () => {
  expect(prettyJson('{"a":9007199254740993,"a":1e400,"b":"\\u0041"}')).toBe(
    '{\n  "a": 9007199254740993,\n  "a": 1e400,\n  "b": "\\u0041"\n}',
  )
})

test('a body that is not JSON is not formatted', () => {
  expect(['', '{"a":', '{a:1}', '[1] 2'].map(prettyJson)).toEqual(Array.from({ length: 4 }))
})

test('invisible characters are named, and others stay', () => {
  expect(splitOddCharacters('a\tb\n\u202Ec\u0000\uFEFF')).toEqual([
    { text: 'a\tb\n', isOdd: false },
    { text: 'U+202E', isOdd: true },
    { text: 'c', isOdd: false },
    { text: 'U+0000', isOdd: true },
    { text: 'U+FEFF', isOdd: true },
  ])
})

test('the lines of two bodies are compared in order', () => {
  const lines = diffLines('{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 1,\n  "b": 3,\n  "c": 4\n}')

  expect(lines?.map(({ kind, text }) => `${kind} ${text.trim()}`)).toEqual([
    'same {',
    'same "a": 1,',
    'removed "b": 2',
    'added "b": 3,',
    'added "c": 4',
    'same }',
  ])
})

test('bodies that are too long are not compared', () => {
  expect(diffLines('a\n'.repeat(2_000), 'b\n'.repeat(2_000))).toBeUndefined()
})
