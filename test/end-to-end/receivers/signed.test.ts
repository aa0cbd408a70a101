import { expect, test } from 'vitest'
import { runFamilyMember, SIGNED_EXPRESS } from '../../support/receiver-family.ts'

test.each([
  ['signature-may-be-missing', ['signature/missing']],
  ['keeps-the-last-v', ['signature/right-one-first']],
  ['takes-any-age', ['signature/too-old', 'signature/too-far-ahead']],
  ['verifies-parsed-json', ['signature/other-bytes']],
])('a receiver in Express that %s fails just %j', { timeout: 60_000 }, async (hole, expected) => {
  const { results } = await runFamilyMember(SIGNED_EXPRESS, { hole, checks: ['signature'] })

  const judged = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'inconclusive')
  expect(judged.map(({ check: { id } }) => id)).toEqual(expected)
})
