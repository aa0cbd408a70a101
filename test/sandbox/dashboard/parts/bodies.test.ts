import { expect, test } from 'vitest'
import { diffLines, prettyJson, splitOddCharacters } from '../../../../sandbox/dashboard/parts/bodies.ts'

test('prettyJson() indents JSON by two spaces', () => {
  const value = { a: [1, 'x, {y}: "z"\\'], b: {}, c: [], d: { e: null, f: [{ g: true }] } }

  expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
  expect(prettyJson(JSON.stringify(value, null, 7))).toBe(JSON.stringify(value, null, 2))
})

test('prettyJson() keeps the spelling of numbers, escapes and repeated fields', () => {
  expect(prettyJson('{"a":9007199254740993,"a":1e400,"b":"\\u0041"}')).toBe(
    '{\n  "a": 9007199254740993,\n  "a": 1e400,\n  "b": "\\u0041"\n}',
  )
})

test('prettyJson() returns undefined for a body that is not JSON', () => {
  expect(['', '{"a":', '{a:1}', '[1] 2'].map(prettyJson)).toEqual(Array.from({ length: 4 }))
})

test('splitOddCharacters() names invisible characters', () => {
  expect(splitOddCharacters('a\tb\n\u202Ec\u0000\uFEFF')).toEqual([
    { text: 'a\tb\n', isOdd: false },
    { text: 'U+202E', isOdd: true },
    { text: 'c', isOdd: false },
    { text: 'U+0000', isOdd: true },
    { text: 'U+FEFF', isOdd: true },
  ])
})

test('diffLines() returns undefined when hundreds of lines differ', () => {
  expect(diffLines('a\n'.repeat(400), 'b\n'.repeat(400))).toBeUndefined()
})
