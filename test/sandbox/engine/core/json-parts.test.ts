import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createJsonPartReader } from '../../../../sandbox/engine/core/json-parts.ts'

const OPTIONS = { lists: ['rows', 'more'], maxBytes: 100_000 }

function readIn(text: string, sizes: readonly number[], options = OPTIONS): Record<string, unknown> {
  const reader = createJsonPartReader(options)
  const bytes = Buffer.from(text)
  const whole: Record<string, unknown> = {}
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    for (const { name, index, value } of reader.take(bytes.subarray(at, at + size))) {
      if (index === undefined) whole[name] = value
      else whole[name] = [...((whole[name] as unknown[] | undefined) ?? []), value]
    }
    at += size
  }
  reader.end()
  return whole
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
/** Without backslashes, which V8 14.6 may take for a quote in a name that it parses after them. */
const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('\\\\'))

test('a reader agrees with JSON.parse for bytes in any parts', () => {
  const whole = fc.record({
    rows: fc.array(json),
    more: fc.array(json),
    other: json,
    'ä"\\': json,
  })
  fc.assert(
    fc.property(whole, sizes, fc.constantFrom(undefined, 1), (value, parting, indent) => {
      const text = JSON.stringify(value, null, indent)

      expect(readIn(text, parting)).toEqual(JSON.parse(text))
    }),
  )
})

test('a reader rejects input that JSON.parse rejects, or that is not an object', () => {
  const near = fc.tuple(
    fc.constantFrom('{"rows":[1,{"a":"b"}],"c":null}', '{"rows":[],"more":[[]],"c":{"d":[true]}}'),
    fc.nat({ max: 40 }),
    fc.constantFrom('', ',', '"', '{', '}', '[', ']', ':', '\\', 'x', '1', ' ', '\u0000'),
    fc.nat({ max: 2 }),
  )
  fc.assert(
    fc.property(near, sizes, ([text, at, inserted, cut], parting) => {
      const changed = text.slice(0, at) + inserted + text.slice(at + cut)
      let expected: unknown
      try {
        expected = JSON.parse(changed)
      } catch {
        expect(() => readIn(changed, parting)).toThrow(SyntaxError)
        return
      }
      const isObject = typeof expected === 'object' && expected !== null && !Array.isArray(expected)
      if (!isObject) expect(() => readIn(changed, parting)).toThrow(SyntaxError)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['{"a":1,"a":2}', SyntaxError, '"a" is there twice'],
  ['{"rows":[1],"rows":[2]}', SyntaxError, '"rows" is there twice'],
  ['{"a":"xxxxxxxxxxxxxxxxxxxx"}', RangeError, 'more than 10 bytes'],
  ['{"rows":[1,"xxxxxxxxxxxxxxxxxxxx"]}', RangeError, 'more than 10 bytes'],
  ['', SyntaxError, 'too early'],
  ['[]', SyntaxError, 'Unexpected "["'],
])('a reader refuses %s', (text, kind, why) => {
  const read = () => readIn(text, [3], { ...OPTIONS, maxBytes: 10 })

  expect(read).toThrow(kind)
  expect(read).toThrow(why)
})

test('a reader rejects invalid UTF-8', () => {
  const reader = createJsonPartReader(OPTIONS)

  expect(() => reader.take(Buffer.from([0x7b, 0x22, 0xff, 0x22]))).toThrow('not UTF-8')
})
