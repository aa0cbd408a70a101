import { expect, test } from 'vitest'
import { findLiveSign } from '../../../../sandbox/engine/core/live-secrets.ts'

test.each([
  ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', 'it says "live" or "production"'],
  ['PROD-7d1c0a', 'it says "live" or "production"'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'it is a signed token'],
  ['-----BEGIN EC PRIVATE KEY-----\nMHcC', 'it is a private key'],
  ['AKIAIOSFODNN7EXAMPLE', 'it is a key of AWS'],
  ['ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'it is a token of a code host or a chat'],
])('%s looks like a live secret', (secret, sign) => {
  expect(findLiveSign(secret)).toBe(sign)
})

test.each([
  'sandbox-secret',
  'olive-oil-product',
  '3f9c1d2ab47e8051c6d20a94e7b1358f3f9c1d2ab47e8051c6d20a94e7b1358f',
  'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
  '',
])('"%s" does not', (secret) => {
  expect(findLiveSign(secret)).toBeUndefined()
})
