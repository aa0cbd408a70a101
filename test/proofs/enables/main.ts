import { parseArgs } from 'node:util'
import { nextCase, recordRun } from '../results.ts'
import { tryRounds } from './try-rounds.ts'

/** Plays `--rounds` rounds, from where the last run ended, or again from `--from` without a record. */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '400' }, from: { type: 'string' } },
})
const AT_ONCE = 40
const first = values.from === undefined ? nextCase('enables') : Number(values.from)
const end = first + Number(values.rounds)

for (let from = first; from < end; from += AT_ONCE) {
  const cases = Math.min(AT_ONCE, end - from)
  const startedAt = performance.now()
  const failures = await tryRounds(from, cases)
  const seconds = (performance.now() - startedAt) / 1_000
  if (values.from === undefined) recordRun({ proof: 'enables', from, cases, failures, seconds })
  console.log(`${from} to ${from + cases - 1}: ${failures.length} failures`)
  for (const line of failures) console.error(line)
  if (failures.length > 0) process.exitCode = 1
}
