import { expect, test } from 'vitest'
import { createSigning } from '../../../contracts/run/signing.ts'
import { signatureHeader } from '../../../spec/signature.ts'

const secret = 'what-only-your-receiver-and-the-service-know'
const now = () => '2026-01-01T00:00:00.900Z'
const T = 1_767_225_600
const URL = 'https://receiver.test/items'

test('a repeated request within one second gets a different signature timestamp', () => {
  const sign = createSigning(secret, now)
  const signatures = [
    sign({ url: URL, body: '{}' }),
    sign({ url: URL, body: new TextEncoder().encode('{}') }),
    sign({ url: URL, body: '[]' }),
    sign({ url: `${URL}/other`, body: '{}' }),
  ]

  expect(signatures.map((headers) => headers['Webhooks-signature'])).toEqual([
    signatureHeader([secret], T, '{}'),
    signatureHeader([secret], T - 1, '{}'),
    signatureHeader([secret], T, '[]'),
    signatureHeader([secret], T, '{}'),
  ])
})

test('a check can replace the webhook signature', () => {
  const sign = createSigning(secret, now)

  expect(sign({ url: URL, body: '{}' }, (signing) => JSON.stringify(signing))).toEqual({
    'Webhooks-signature': JSON.stringify({ secret, now: T, body: '{}' }),
  })
})
