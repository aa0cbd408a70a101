import { expect, test } from 'vitest'
import { listSpellings } from '../proofs/addresses/spellings.ts'
import { trySpellings } from '../proofs/addresses/try-spelling.ts'
import { judgeSession } from '../proofs/kill-points/session.ts'
import { soak } from '../proofs/soak/soak.ts'

/** Every eighth, which is some of each kind; `npm run proof -- addresses` takes all of them. */
const some = listSpellings().filter((_, index) => index % 8 === 0)

test('no spelling of a forbidden address is called through any operation', async () => {
  expect(await trySpellings(some)).toEqual([])
})

test('there are more than 300 spellings', () => {
  expect(new Set(listSpellings().map(({ host, address }) => `${host} ${address}`)).size).toBeGreaterThan(300)
})

test('a process that is killed under load, in an advance, a restore and a reset loses nothing, and sends nothing twice without need', async () => {
  expect(await judgeSession(0)).toEqual([])
})

test.skipIf(process.platform !== 'linux')(
  'under a steady load with a faulty receiver each change comes once to the others, as the jobs say',
  async () => {
    const { changes, failures } = await soak({ minutes: 0.03, rate: 100, judgesTimes: false })

    expect([changes, failures]).toEqual([180, []])
  },
)
