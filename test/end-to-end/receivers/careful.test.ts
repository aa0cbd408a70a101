import { expect, test } from 'vitest'
import { FAMILY, longTestOf, runFamilyMember, skipInShort } from '../../support/receiver-family.ts'

const UNFIT: ReadonlySet<string> = new Set(['failed', 'inconclusive'])

for (const member of FAMILY)
  test.concurrent(`the receiver ${member.name} passes every check`, longTestOf(member), async (context) => {
    skipInShort(context)
    const { level, results } = await runFamilyMember(member)

    const unfit = results.filter(({ verdict }) =>
      member.isWhole ? verdict !== 'passed' : UNFIT.has(verdict),
    )
    expect([level, unfit.map(({ check: { id }, verdict, finding }) => [id, verdict, finding])]).toEqual([
      3,
      [],
    ])
  })
