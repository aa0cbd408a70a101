import { expect, test } from 'vitest'
import { CASES_OF_A_RECORDING, record, recordFor } from '../proofs/power-loss/recording.ts'
import { tryCase } from '../proofs/power-loss/try-case.ts'
import { keepSeed, regressionSeeds } from '../proofs/regression-seeds.ts'
import { testSeed } from '../support/test-seed.ts'

const CASES = 20

/** The first of the cases that share a recording with the seed of this run. */
const FIRST = testSeed - (testSeed % CASES_OF_A_RECORDING)
const drawn = Array.from({ length: CASES }, (_, index) => FIRST + index)

// `npm run power-loss` tries hundreds.
test(
  'what was acknowledged is there after a loss of power, and the rest is whole or absent',
  { tags: 'strace' },
  async () => {
    const recording = await recordFor(FIRST)
    const failures: string[] = []
    for (const number of [...regressionSeeds('power-loss'), ...drawn]) {
      const own = drawn.includes(number) ? recording : await recordFor(number)
      const problem = await tryCase(own, number)
      if (problem === undefined) continue
      keepSeed('power-loss', number)
      failures.push(problem)
    }

    expect(failures).toEqual([])
    // A folder and a store whose making was cut off anywhere are made anew, or are there.
    const made = recording.events.findIndex(({ kind }) => kind === 'note')
    const cuts = Array.from({ length: made }, (_, cut) => cut)
    const unmade = await Promise.all(cuts.map((cut) => tryCase(recording, cut, cut)))
    expect(unmade.filter((problem) => problem !== undefined)).toEqual([])
  },
)

test('a log that never waits for the disk is found out', { tags: 'strace' }, async () => {
  const recording = await record(['--seed', '0', '--steps', '30', '--unsynced'])

  const problems = await Promise.all(drawn.map((number) => tryCase(recording, number)))

  expect(problems.filter((problem) => problem?.includes('was acknowledged'))).not.toEqual([])
})
