import { readOptions } from '../../support/script-options.ts'
import { whyMissing } from '../../support/tools.ts'
import { keepSeed, recordSeeds } from '../results.ts'
import { CASES_OF_A_RECORDING, recordFor } from './recording.ts'
import { tryCase } from './try-case.ts'

const USAGE = `npm run proof -- power-loss               the regression seeds, then 100 cases from HOOKBENCH_TEST_SEED or a new seed on
npm run proof -- power-loss --cases 500   the number of new cases
npm run proof -- power-loss --case 12     one case`

async function tryPart(from: number, cases: number): Promise<readonly string[]> {
  const recording = await recordFor(from)
  const failures: string[] = []
  for (let number = from; number < from + cases; number++) {
    const problem = await tryCase(recording, number)
    if (problem === undefined) continue
    keepSeed('power-loss', number)
    failures.push(problem)
  }
  return failures
}

const { values } = readOptions({
  usage: USAGE,
  options: { cases: { type: 'whole', least: 1, default: 100 }, case: { type: 'whole', least: 0 } },
})

const missing = whyMissing('strace')
if (missing !== undefined) {
  console.error(`Cannot record what a process writes: ${missing}`)
  process.exitCode = 1
} else if (values.case === undefined) {
  const part = { proof: 'power-loss', cases: values.cases, partSize: CASES_OF_A_RECORDING } as const
  await recordSeeds(part, async (from, cases) => ({ failures: await tryPart(from, cases) }))
} else {
  const failures = await tryPart(values.case, 1)
  console.log(failures[0] ?? `Case ${values.case} holds`)
  process.exitCode = failures.length
}
