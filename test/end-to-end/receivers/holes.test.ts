import { expect, test } from 'vitest'
import { FAMILY, runFamilyMember, whyLeftOut } from '../../support/receiver-family.ts'

/** What each hole is caught by at least, whoever has it. */
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

/** One has other holes, and one has none: its parts are those of the reference receiver, which has one defect at a time. */
const WITHOUT: ReadonlySet<string> = new Set(['signed-express', 'starter'])

const HOLES = FAMILY.filter(({ name }) => !WITHOUT.has(name)).flatMap((member) =>
  Object.entries(CATCHES).map(([hole, checks]) => ({ name: member.name, member, hole, checks })),
)

test.concurrent.for(HOLES)(
  '$name that $hole fails $checks',
  { timeout: 900_000 },
  async ({ member, hole, checks }, { skip }) => {
    const reason = whyLeftOut(member)
    skip(reason !== undefined, reason)
    const { results } = await runFamilyMember(member, { hole, checks })

    const failed = results.filter(({ verdict }) => verdict === 'failed').map(({ check: { id } }) => id)
    expect(failed.toSorted()).toEqual(checks.toSorted())
  },
)
