import { readOptions } from '../../support/script-options.ts'
import { seedLine, testSeed } from '../../support/test-seed.ts'
import { recordRun } from '../results.ts'
import { tryRounds } from './try-rounds.ts'

const USAGE = `npm run proof -- enables                 400 rounds, drawn from HOOKBENCH_TEST_SEED or a new seed
npm run proof -- enables --rounds 800    the number of rounds`

const { values } = readOptions({
  usage: USAGE,
  options: { rounds: { type: 'whole', least: 1, default: 400 } },
})
const AT_ONCE = 40
const end = testSeed + values.rounds

console.log(seedLine)
for (let from = testSeed; from < end; from += AT_ONCE) {
  const cases = Math.min(AT_ONCE, end - from)
  const startedAt = performance.now()
  const failures = await tryRounds(from, cases)
  const seconds = (performance.now() - startedAt) / 1_000
  recordRun({ proof: 'enables', from, cases, failures, seconds })
  console.log(`${from} to ${from + cases - 1}: ${failures.length} failures`)
  for (const line of failures) console.error(line)
  if (failures.length > 0) process.exitCode = 1
}
