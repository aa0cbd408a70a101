import { startPostgres } from '../../support/postgres.ts'
import { readOptions } from '../../support/script-options.ts'
import { seedLine, testSeed } from '../../support/test-seed.ts'
import { whyMissing } from '../../support/tools.ts'
import { recordRun } from '../results.ts'
import { tryCase } from './try-case.ts'

const USAGE = `npm run test:postgres -- --cases 500    the number of cases, drawn from HOOKBENCH_TEST_SEED or a new seed
npm run test:postgres -- --case 12      one case; a failure is shrunk to the fewest commands that show it`

/** After so many, what was tried is kept. */
const PART = 50

const { values } = readOptions({
  usage: USAGE,
  options: { cases: { type: 'whole', least: 1, default: 100 }, case: { type: 'whole', least: 0 } },
})

/** Tries cases on a server of its own; gives what each failed one says. */
async function tryCases(from: number, count: number): Promise<readonly string[]> {
  const server = await startPostgres()
  const failures: string[] = []
  try {
    for (let number = from; number < from + count; number++) {
      const failure = await tryCase(server, number)
      if (failure === undefined) continue
      console.error(failure)
      failures.push(`case ${number}: ${failure.split('\n', 1)[0]}`)
    }
  } finally {
    await server.remove()
  }
  return failures
}

async function tryNext(count: number): Promise<void> {
  console.log(seedLine)
  for (let done = 0; done < count; done += PART) {
    const [from, cases] = [testSeed + done, Math.min(PART, count - done)]
    const began = performance.now()
    const failures = await tryCases(from, cases)
    const seconds = Math.round((performance.now() - began) / 1_000)
    recordRun({ proof: 'postgres-log', from, cases, failures, seconds })
    console.log(`${done + cases} of ${count}: ${failures.length} failed of the last ${cases}`)
    if (failures.length > 0) process.exitCode = 1
  }
}

const missing = whyMissing('postgresql')
if (missing !== undefined) {
  console.error(`Cannot try histories of two nodes: ${missing}`)
  process.exitCode = 1
} else if (values.case === undefined) await tryNext(values.cases)
else if ((await tryCases(values.case, 1)).length > 0) process.exitCode = 1

// A connection that a case has cut may leave a socket that Node never finishes closing: it would spin instead of ending.
process.exit()
