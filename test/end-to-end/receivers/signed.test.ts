import { expect, test } from 'vitest'
import { runFamilyMember, SIGNED_EXPRESS, whyLeftOut } from '../../support/receiver-family.ts'

test.concurrent.for<readonly [string, readonly string[]]>([
  ['signature-may-be-missing', ['signature/missing']],
  ['keeps-the-last-v', ['signature/right-one-first']],
  ['takes-any-age', ['signature/too-old', 'signature/too-far-ahead']],
  ['verifies-parsed-json', ['signature/other-bytes']],
])(
  'a receiver in Express that %s fails just %j',
  { timeout: 900_000 },
  async ([hole, expected], { skip }) => {
    const reason = whyLeftOut(SIGNED_EXPRESS)
    skip(reason !== undefined, reason)
    const { results } = await runFamilyMember(SIGNED_EXPRESS, { hole, checks: ['signature'] })

    const judged = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'inconclusive')
    expect(judged.map(({ check: { id } }) => id)).toEqual(expected)
  },
)
