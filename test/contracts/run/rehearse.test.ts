import { expect, test } from 'vitest'
import { failed, probeFailed, type Finding } from '../../../contracts/finding.ts'
import { conductRehearsal } from '../../../contracts/run/rehearse.ts'
import { planRehearsal } from '../../../contracts/toolkit/rehearsal-plan.ts'
import { careful } from '../support/careful.ts'
import { openContext } from '../support/check-context.ts'
import { buildResult } from '../support/run-results.ts'

async function searched(finding: Finding) {
  const context = await openContext({ receive: careful })
  const plan = planRehearsal({ kind: 'npp-payin', deliveries: [{ number: 1 }, { number: 1 }] }, context)
  const broken = failed('one effect', 'two effects', {})
  const check = async ({ id }: { readonly id: string }) =>
    buildResult(id === 'rehearsal/shrinking' ? finding : broken)
  return conductRehearsal({ check, unreached: null }, plan, { shrinks: true })
}

test('a search for a shorter failing order reports the reason when the effects page fails', async () => {
  const { shortest, unsearched } = await searched(probeFailed('the page of effects answered 500'))

  expect([shortest, unsearched]).toEqual([
    undefined,
    expect.stringContaining('the page of effects answered 500'),
  ])
})
