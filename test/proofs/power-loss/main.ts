import { readOptions } from '../../support/script-options.ts'
import { whyMissing } from '../../support/tools.ts'
import { nextCase, recordRun } from '../results.ts'
import { record, type Recording } from './recording.ts'
import { tryCase } from './try-case.ts'

const USAGE = `npm run power-loss                  the next 100 cases
npm run power-loss -- --cases 500   so many, going on behind the last one that was tried
npm run power-loss -- --case 12     one case`

/** One recording for so many cases; each takes some seconds. */
const CASES_OF_A_RECORDING = 50

/** Every fifth is long enough for the database to be moved on while it runs. */
function recordFor(number: number): Promise<Recording> {
  const seed = Math.floor(number / CASES_OF_A_RECORDING)
  return record(['--seed', String(seed), '--steps', seed % 5 === 4 ? '700' : '60'])
}

async function tryPart(from: number, cases: number): Promise<readonly string[]> {
  const recording = await recordFor(from)
  const failures: string[] = []
  for (let number = from; number < from + cases; number++) {
    const problem = await tryCase(recording, number)
    if (problem === undefined) continue
    console.error(problem)
    failures.push(problem)
  }
  return failures
}

async function tryAll(first: number, end: number): Promise<number> {
  let failed = 0
  for (let from = first; from < end;) {
    const startedAt = performance.now()
    const cases = Math.min(end - from, CASES_OF_A_RECORDING - (from % CASES_OF_A_RECORDING))
    const failures = await tryPart(from, cases)
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    recordRun({ proof: 'power-loss', from, cases, failures, seconds })
    console.log(`Cases ${from} to ${from + cases - 1}: ${failures.length} failed, ${seconds} s`)
    failed += failures.length
    from += cases
  }
  return failed
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
  const first = nextCase('power-loss')
  process.exitCode = (await tryAll(first, first + values.cases)) > 0 ? 1 : 0
} else {
  const failures = await tryPart(values.case, 1)
  if (failures.length === 0) console.log(`Case ${values.case} shows nothing that must not be`)
  process.exitCode = failures.length
}
