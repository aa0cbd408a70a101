import { expect, test } from 'vitest'
import { explainNoAnswer } from '../../../../sandbox/dashboard/adapters/no-answer.ts'

test('explainNoAnswer() names who does not answer, and what the browser says', () => {
  const explained = explainNoAnswer(new TypeError('Failed to fetch'), 'http://127.0.0.1:4011/control/clock')

  expect(explained).toEqual({
    code: '',
    isUntrusted: false,
    reason: 'there is no answer from 127.0.0.1:4011 (Failed to fetch)',
  })
})
