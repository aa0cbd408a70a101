import { expect, test } from 'vitest'
import { toPrintable } from '../../../../sandbox/engine/core/printable.ts'

test.each([
  ['{\n  "a": 1\r\n}\n', '{⏎  "a": 1⏎}⏎'],
  ['a\tb', 'a b'],
  ['\u001B[2J\u202Eb\u0000', '\uFFFD[2J\uFFFDb\uFFFD'],
  ['Grüße → 42 €', 'Grüße → 42 €'],
])('toPrintable() makes one harmless line of %j', (text, shown) => {
  expect(toPrintable(text)).toBe(shown)
})
