import { expect, test } from 'vitest'
import { expectEffects } from '../../../contracts/toolkit/expectations.ts'
import { openContext } from '../support/check-context.ts'

const TARGET = { type: 'transactions', id: 'paid' } as const
const EXPECTED = { effects: 1, because: 'it has succeeded' }

/** Returns the finding for a receiver without effects. Earlier in the run, the slowest effect appeared after `latestMs`. */
async function findingAfter(latestMs: number | null, waitedMs: number) {
  const context = await openContext({ receive: () => ({ status: 200 }) })
  const effects = { ...context.effects, delay: () => ({ latestMs, waitedMs }) }
  return expectEffects({ ...context, effects }, TARGET, EXPECTED)
}

test('expectEffects() suggests a longer wait when the run observed no effect', async () => {
  expect(await findingAfter(null, 5_000)).toMatchObject({
    kind: 'failed',
    actual:
      'no effect, and the receiver shows no state. No transactions of this run had an effect within 5 s. If your receiver acts later, raise settleMs (--settle MS)',
  })
})

test('expectEffects() reports its wait time when the run observed effects of other objects', async () => {
  expect(await findingAfter(3_400, 10_000)).toMatchObject({
    kind: 'failed',
    actual: 'no effect within 10 s, and the receiver shows no state',
  })
})

test.each([
  [{ effects: 0, state: 'batched' }, 'other-state'],
  [{ effects: 1, state: 'batched' }, 'other-state'],
  [{ effects: 0, state: 'successful' }, 'missing-effect'],
  [{ effects: 0, state: null }, 'missing-effect'],
  [{ effects: 2, state: 'batched' }, 'repeated-effect'],
])('expectEffects() maps the effects %j to the symptom %s', async (seen, symptom) => {
  const context = await openContext({ receive: () => ({ status: 200 }) })
  const effects = { ...context.effects, reach: async () => seen, reachState: async () => seen }

  expect(
    await expectEffects({ ...context, effects }, TARGET, { ...EXPECTED, state: 'successful' }),
  ).toMatchObject({ kind: 'failed', symptom, evidence: { objects: [TARGET] } })
})
