import { expect, test } from 'vitest'
import { explainNoAnswer } from '../../../sandbox/client/no-answer.ts'

/** An error as `fetch` throws it, whose cause has this code. */
function fetchError(code: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('below'), { code }) })
}

test.each([
  ['ECONNREFUSED', 'nothing listens on platform.test:3000 (ECONNREFUSED)'],
  ['ENOTFOUND', 'there is no host "platform.test" (ENOTFOUND)'],
  ['ECONNRESET', 'platform.test:3000 broke off the connection (ECONNRESET)'],
  ['UND_ERR_SOCKET', 'platform.test:3000 closed the connection without an answer (UND_ERR_SOCKET)'],
  ['CERT_HAS_EXPIRED', 'the certificate of platform.test:3000 has expired (CERT_HAS_EXPIRED)'],
  ['HPE_INVALID_CONSTANT', 'there is no valid answer from platform.test:3000 (HPE_INVALID_CONSTANT)'],
])('explainNoAnswer() says what %s means, with the host and the port', (code, reason) => {
  expect(explainNoAnswer(fetchError(code), 'http://platform.test:3000/a/b')).toEqual({
    code,
    isUntrusted: false,
    reason,
  })
})

test('explainNoAnswer() names the port that a URL leaves out', () => {
  const { reason } = explainNoAnswer(fetchError('ECONNREFUSED'), 'https://platform.test/')

  expect(reason).toBe('nothing listens on platform.test:443 (ECONNREFUSED)')
})

test('explainNoAnswer() tells a certificate that nobody vouches for', () => {
  const { isUntrusted } = explainNoAnswer(fetchError('DEPTH_ZERO_SELF_SIGNED_CERT'), 'https://platform.test/')

  expect(isUntrusted).toBe(true)
})

test('explainNoAnswer() says what there is where a cause has no code', async () => {
  const error: unknown = await fetch('http://127.0.0.1:1/').catch((thrown: unknown) => thrown)

  expect(explainNoAnswer(error, 'http://127.0.0.1:1/').reason).toBe(
    'there is no valid answer from 127.0.0.1:1 (bad port)',
  )
})

test('explainNoAnswer() tells a time that ran out', () => {
  const { reason } = explainNoAnswer(new DOMException('', 'TimeoutError'), 'http://platform.test:3000/')

  expect(reason).toBe('platform.test:3000 did not answer in time (ETIMEDOUT)')
})
