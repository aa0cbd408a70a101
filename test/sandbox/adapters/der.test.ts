import { expect, test } from 'vitest'
import {
  contentOf,
  elementsOf,
  encode,
  encodeIdentifier,
  encodeInteger,
  encodeTime,
} from '../../../sandbox/adapters/der.ts'

// As OpenSSL writes them: openssl asn1parse -genstr TYPE:VALUE -out /dev/stdout -noout | xxd -p
test.each([
  ['OID:1.2.840.10045.4.3.2', encodeIdentifier('1.2.840.10045.4.3.2'), '06082a8648ce3d040302'],
  ['OID:2.5.29.17', encodeIdentifier('2.5.29.17'), '0603551d11'],
  ['INTEGER:0', encodeInteger(Buffer.of(0)), '020100'],
  ['INTEGER:127', encodeInteger(Buffer.of(0, 0, 127)), '02017f'],
  ['INTEGER:128', encodeInteger(Buffer.of(128)), '02020080'],
  [
    'UTCTIME:491231235959Z',
    encodeTime(new Date('2049-12-31T23:59:59.999Z')),
    '170d3439313233313233353935395a',
  ],
  [
    'GENTIME:20500101000000Z',
    encodeTime(new Date('2050-01-01T00:00:00.000Z')),
    '180f32303530303130313030303030305a',
  ],
  ['UTF8:ü', encode('utf8String', Buffer.from('ü')), '0c02c3bc'],
])('%s is written as OpenSSL writes it', (_, encoded, hex) => {
  expect(encoded.toString('hex')).toBe(hex)
})

test.each([
  [127, '047f'],
  [128, '048180'],
  [300, '0482012c'],
  [70_000, '0483011170'],
])('the length %i is written in as few bytes as it takes', (length, head) => {
  const encoded = encode('octetString', Buffer.alloc(length))

  expect(encoded.subarray(0, encoded.length - length).toString('hex')).toBe(head)
  expect(contentOf(encoded)).toHaveLength(length)
})

test('elementsOf() gives what encode() put together, and refuses what is cut off', () => {
  const parts = [encode('octetString', Buffer.alloc(200)), encodeInteger(Buffer.of(1))]
  const whole = encode('sequence', ...parts)

  expect(elementsOf(whole)).toEqual(parts)
  expect(() => elementsOf(whole.subarray(0, -1))).toThrow('it is cut off')
})
