import { expect, test } from 'vitest'
import { FAMILY, longTestOf, runFamilyMember, skipInShort } from '../../support/receiver-family.ts'

const CATCHES: Readonly<Record<string, readonly string[]>> = {
  'acts-on-each-copy': ['idempotency/same-delivery-again', 'order/final-then-earlier'],
  'trusts-body': ['trust/lying-body', 'trust/fabricated-id'],
  'forgets-on-restart': ['idempotency/again-after-restart'],
  'dedupes-by-id': ['order/documented-order'],
  downgrades: ['order/final-then-earlier'],
  'acts-on-intermediate': ['order/no-release-before-success'],
  'answers-before-storing': ['recovery/kill-after-answer'],
  'any-token': ['trust/other-url-token'],
  'ignores-show-failures': ['trust/failing-show'],
}

/**
 * The receivers that these tests exclude, because they have other defects or no defects. The starter is excluded because it is
 * built from the reference receiver.
 */
const WITHOUT: ReadonlySet<string> = new Set(['signed-express', 'starter', 'journal-go', 'journal-java'])

for (const member of FAMILY.filter(({ name }) => !WITHOUT.has(name)))
  for (const [hole, checks] of Object.entries(CATCHES))
    test.concurrent(
      `the receiver ${member.name} with the defect ${hole} fails ${checks.join()}`,
      longTestOf(member),
      async (context) => {
        skipInShort(context)
        const { results } = await runFamilyMember(member, { hole, checks })

        const failed = results.filter(({ verdict }) => verdict === 'failed').map(({ check: { id } }) => id)
        expect(failed.toSorted()).toEqual(checks.toSorted())
      },
    )
