import { expect, test } from 'vitest'
import { FAMILY, runFamilyMember, whyLeftOut } from '../../support/receiver-family.ts'

test.for(FAMILY)('$name, which is careful, fails nothing', { timeout: 900_000 }, async (member, { skip }) => {
  const reason = whyLeftOut(member)
  skip(reason !== undefined, reason)
  const { level, results } = await runFamilyMember(member)

  const judged = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'inconclusive')
  expect([level, judged.map(({ check: { id }, verdict, finding }) => [id, verdict, finding])]).toEqual([
    3,
    [],
  ])
})
