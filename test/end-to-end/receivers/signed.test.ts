import { expect, test } from 'vitest'
import { longTestOf, runFamilyMember, SIGNED_EXPRESS, skipInShort } from '../../support/receiver-family.ts'

test.concurrent.for<readonly [string, readonly string[]]>([
  ['signature-may-be-missing', ['signature/missing']],
  ['keeps-the-last-v', ['signature/right-one-first']],
  ['takes-any-age', ['signature/too-old', 'signature/too-far-ahead']],
  ['verifies-parsed-json', ['signature/other-bytes']],
])(
  'the Express receiver with the defect %s fails only %j',
  longTestOf(SIGNED_EXPRESS),
  async ([hole, expected], context) => {
    skipInShort(context)
    const { results } = await runFamilyMember(SIGNED_EXPRESS, { hole, checks: ['signature'] })

    const judged = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'inconclusive')
    expect(judged.map(({ check: { id } }) => id)).toEqual(expected)
  },
)
