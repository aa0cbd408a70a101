import { expect, test } from 'vitest'
import { toPrintable, toPrintableJson } from '../../../../sandbox/engine/core/printable.ts'

test.each([
  ['{\n  "a": 1\r\n}\n', '{⏎  "a": 1⏎}⏎'],
  ['a\tb', 'a b'],
  ['\u001B[2J\u202Eb\u0000', '\uFFFD[2J\uFFFDb\uFFFD'],
  ['::error::x', ': :error::x'],
  [' \t ::x', '   : :x'],
  ['a ##[error]x', 'a ## [error]x'],
  ['Grüße → 42 €', 'Grüße → 42 €'],
])('toPrintable() makes one harmless line of %j', (text, shown) => {
  expect(toPrintable(text)).toBe(shown)
})

test('toPrintableJson() says the same as JSON, in characters that steer nothing', () => {
  const value = { text: '\u0000\u001B[2J\u007F\u0085\u009B\u061C\u200E\u2028\u202E\u2069##[error] Grüße ✓ 𝄞' }

  const text = toPrintableJson(value, 2)

  expect(JSON.parse(text)).toEqual(value)
  expect(text).not.toMatch(
    // oxlint-disable-next-line no-control-regex -- these are the characters that must not be there
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|##\[/,
  )
})
