import { expect, test } from 'vitest'
import { toAdvice } from '../../../../sandbox/api/control/exchanges.ts'

test('an exchange says what to change in the receiver, and what was odd, in words', () => {
  expect(toAdvice({ status: 204, flags: [] }, [])).toEqual({})
  expect(toAdvice({ status: 404, flags: ['connection_retried', 'response_incomplete'] }, [])).toEqual({
    remedy: 'let it take POST at the path of this URL, or register the URL that does',
    notes: ['sent twice, since the kept connection ended without an answer', 'the answer was cut off'],
  })
})

test('what to change follows from whether it was signed', () => {
  const advise = (name: string) => toAdvice({ status: 401, flags: [] }, [[name, 't=1,v=x']]).remedy

  expect([advise('webhooks-signature'), advise('x-signature')]).toEqual([
    expect.stringContaining('it was signed'),
    expect.stringContaining('it was not signed'),
  ])
})
