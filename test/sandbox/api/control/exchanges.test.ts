import { expect, test } from 'vitest'
import { toAdvice } from '../../../../sandbox/api/control/exchanges.ts'

test('an exchange says what to change in the receiver, and what was odd, in words', () => {
  expect(toAdvice(204, [])).toEqual({})
  expect(toAdvice(404, ['connection_retried', 'response_incomplete'])).toEqual({
    remedy: 'let it take POST at the path of this URL, or register the URL that does',
    notes: ['sent twice, since the kept connection ended without an answer', 'the answer was cut off'],
  })
})
