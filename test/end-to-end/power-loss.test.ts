import { expect, test } from 'vitest'
import { record } from '../proofs/power-loss/recording.ts'
import { canTrace } from '../proofs/power-loss/trace.ts'
import { tryCase } from '../proofs/power-loss/try-case.ts'

const CASES = Array.from({ length: 20 }, (_, index) => index)

async function tryCases(...options: readonly string[]): Promise<readonly (string | undefined)[]> {
  const recording = await record(['--seed', '0', '--steps', '30', ...options])
  return Promise.all(CASES.map((number) => tryCase(recording, number)))
}

// `npm run power-loss` tries hundreds.
test.runIf(canTrace())(
  'what was acknowledged is there after a loss of power, and the rest is whole or absent',
  async () => {
    const problems = await tryCases()

    expect(problems.filter((problem) => problem !== undefined)).toEqual([])
  },
)

test.runIf(canTrace())('a log that never waits for the disk is found out', async () => {
  const problems = await tryCases('--unsynced')

  expect(problems.filter((problem) => problem?.includes('was acknowledged'))).not.toEqual([])
})

if (!canTrace()) console.log('Not run: it takes strace to see what a process writes')
