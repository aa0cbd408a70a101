import { expect, test } from 'vitest'
import { CASES_OF_A_RECORDING, record, recordFor, type Recording } from '../proofs/power-loss/recording.ts'
import { listAcknowledgements, tryCase } from '../proofs/power-loss/try-case.ts'
import { keepSeed, regressionSeeds } from '../proofs/results.ts'
import { testSeed } from '../support/test-seed.ts'

const CASES = 20

/** The first case of a recording. The seed of this test run selects the recording. */
const FIRST = testSeed - (testSeed % CASES_OF_A_RECORDING)
const drawn = Array.from({ length: CASES }, (_, index) => FIRST + index)

test(
  'acknowledged changes survive a power loss, and other changes are complete or absent',
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
    const made = recording.events.findIndex(({ kind }) => kind === 'note')
    const cuts = Array.from({ length: made }, (_, cut) => cut)
    const unmade = await Promise.all(cuts.map((cut) => tryCase(recording, cut, cut)))
    expect(unmade.filter((problem) => problem !== undefined)).toEqual([])
  },
)

/** The case in which no unsynced data survives. */
const NOTHING_SURVIVES = 8

async function findFirstProblem(recording: Recording): Promise<string | undefined> {
  for (const cut of listAcknowledgements(recording)) {
    const problem = await tryCase(recording, NOTHING_SURVIVES, cut)
    if (problem !== undefined) return problem
  }
  return undefined
}

test('a power loss after a full disk loses no acknowledged change', { tags: 'strace' }, async () => {
  expect(await findFirstProblem(await record(['--seed', '0', '--steps', '60']))).toBeUndefined()
})

test.each(['sync-ignored', 'sync-of-later-writes', 'sync-of-entries-only', 'forgotten-after-full-disk'])(
  'the power-loss proof finds the planted bug %s',
  { tags: 'strace' },
  async (bug) => {
    const recording = await record(['--seed', '0', '--steps', '60', '--bug', bug])

    expect(await findFirstProblem(recording)).toMatch(
      /was acknowledged|were written and synced|a write is torn/,
    )
  },
)
