import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isPredictable } from '../../../../sandbox/engine/core/predictable.ts'
import { weaknessOf } from '../../../../sandbox/engine/core/secret-strength.ts'

const THOUGHT_OF = [
  '0123456789abcdef0123456789abcdef',
  'fedcba9876543210fedcba9876543210',
  '0123456789abcdefghijklmnopqrstuv',
  '00112233445566778899aabbccddeeff',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'aabbccddeeffgghhiijjkkllmmnnoopp',
  'deadbeefdeadbeefdeadbeefdeadbeef',
  'abc123abc123abc123abc123abc123ab',
  '00000000-0000-0000-0000-000000000001',
  'qwertyuiopasdfghjklzxcvbnm123456',
  'qwertyuiop1234567890QWERTYUIOP12',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9',
  'correct-horse-battery-staple-again',
  'NotificationsOfThePaymentService2024',
  'this_is_a_very_long_token_for_us',
]

test.each(THOUGHT_OF)('isPredictable() is true of %s', (text) => {
  expect(isPredictable(text)).toBe(true)
})

test.each(THOUGHT_OF)('weaknessOf() refuses %s as a token', (text) => {
  expect(weaknessOf(text, undefined)).toBe('can be guessed: take a random one')
})

const digests = Array.from({ length: 2_000 }, (_, index) =>
  createHash('sha256').update(String(index)).digest(),
)

test.each([
  ['32 hex digits', (digest: Buffer) => digest.toString('hex', 0, 16)],
  ['22 characters of base64url', (digest: Buffer) => digest.toString('base64url', 0, 16)],
  ['32 characters of base64url', (digest: Buffer) => digest.toString('base64url', 0, 24)],
])('isPredictable() is false of %s by chance', (_, write) => {
  expect(digests.map(write).filter(isPredictable)).toEqual([])
})

test('isPredictable() is false of a random token behind a word', () => {
  expect(isPredictable('notifications-3f9c1d2ab47e8051c6d20a94e7b1358f')).toBe(false)
})
