import * as fc from 'fast-check'
import { HOSTILE_PAYLOADS } from '../../support/hostile-payloads.ts'
import { weighted } from '../weighted.ts'

/** Texts that are known to break parsers, stores, shells, pages or terminals. */
const HOSTILE_TEXTS: readonly string[] = [
  ...HOSTILE_PAYLOADS,
  ...'constructor toString % _ * null true NaN -0 1e400 9007199254740993'.split(' '),
  '',
  ' ',
  'a\u0000b',
  '\ufeff',
  '\r\nSet-Cookie: a=b',
  '"; DROP TABLE entries; --',
  '../../../../etc/passwd',
  '..;/',
  '%2e%2e%2f',
  '${jndi:ldap://127.0.0.1/a}',
  'https://169.254.169.254/latest/meta-data/',
  'https://u:p@localhost/',
  'https://[::ffff:127.0.0.1]/',
  'http://localhost:9/',
  'exa\nmple.com',
  '+010000-01-01T00:00:00.000Z',
  '2026-02-30T00:00:00Z',
  'x'.repeat(5_000),
  '\u{1f600}'.repeat(500),
]

export const BROKEN_JSON: readonly string[] = [
  '',
  ' ',
  '{',
  '}',
  '{}}',
  '{"a":}',
  '{"a":1,}',
  "{'a':1}",
  '{"a":NaN}',
  '\ufeff{}',
  'null',
  '[]',
  '[{}]',
  '"x"',
  '1',
  '{"a":1e400}',
  '{"a":-0}',
  '{"a":9007199254740993}',
  '{"a":"\\ud800"}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `{${Array.from({ length: 1_200 }, (_, index) => `"k${index}":1`).join()}}`,
  `{"a":[${'1,'.repeat(30_000)}1]}`,
]

export const hostileText = weighted(
  [3, fc.constantFrom(...HOSTILE_TEXTS)],
  [1, fc.string({ unit: 'binary', maxLength: 40 })],
)

/** Draws a JSON value that hardly any field accepts. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, [], {}, true, false, 0, -1, 1.5, 2 ** 53, 1e300, -1e300, [null], [[]], {
    a: { b: [] },
  }),
  fc.jsonValue({ maxDepth: 2 }),
)
