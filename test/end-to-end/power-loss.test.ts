import { expect, test } from 'vitest'
import { record } from '../proofs/power-loss/recording.ts'
import { tryCase } from '../proofs/power-loss/try-case.ts'

const CASES = Array.from({ length: 20 }, (_, index) => index)

const recordShort = (...options: readonly string[]) => record(['--seed', '0', '--steps', '30', ...options])

// `npm run power-loss` tries hundreds.
test(
  'what was acknowledged is there after a loss of power, and the rest is whole or absent',
  { tags: 'strace' },
  async () => {
    const recording = await recordShort()

    const problems = await Promise.all(CASES.map((number) => tryCase(recording, number)))

    expect(problems.filter((problem) => problem !== undefined)).toEqual([])
    // A folder and a store whose making was cut off anywhere are made anew, or are there.
    const made = recording.events.findIndex(({ kind }) => kind === 'note')
    const cuts = Array.from({ length: made }, (_, cut) => cut)
    const unmade = await Promise.all(cuts.map((cut) => tryCase(recording, cut, cut)))
    expect(unmade.filter((problem) => problem !== undefined)).toEqual([])
  },
)

test('a log that never waits for the disk is found out', { tags: 'strace' }, async () => {
  const recording = await recordShort('--unsynced')

  const problems = await Promise.all(CASES.map((number) => tryCase(recording, number)))

  expect(problems.filter((problem) => problem?.includes('was acknowledged'))).not.toEqual([])
})
