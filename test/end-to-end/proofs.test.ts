import { expect, test } from 'vitest'
import { listSpellings } from '../proofs/addresses/spellings.ts'
import { trySpellings } from '../proofs/addresses/try-spelling.ts'
import { judgeSession } from '../proofs/kill-points/session.ts'
import { soak } from '../proofs/soak/soak.ts'

/**
 * Every eighth spelling of the forbidden addresses. This selection contains spellings of each kind. `npm run proof -- addresses`
 * tries all spellings.
 */
const some = listSpellings().filter((_, index) => index % 8 === 0)

test('no operation calls a forbidden address in any spelling', async () => {
  expect(await trySpellings(some)).toEqual([])
})

test('a process loses no data when it is killed under load, or during an advance, a restore or a reset', async () => {
  expect(await judgeSession(0)).toEqual([])
})

test.skipIf(process.platform !== 'linux')(
  'correct receivers receive each change once even when another receiver is faulty',
  async () => {
    const { changes, failures } = await soak({ minutes: 0.03, rate: 100, judgesTimes: false })

    expect([changes, failures]).toEqual([180, []])
  },
)
