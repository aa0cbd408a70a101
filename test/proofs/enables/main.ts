import { readOptions } from '../../support/script-options.ts'
import { nextCase, recordRun } from '../results.ts'
import { tryRounds } from './try-rounds.ts'

const USAGE = `npm run enables                    the next 400 rounds
npm run enables -- --rounds 800    so many, going on behind the last one that was played
npm run enables -- --from 12       from this one on, without a record`

const { values } = readOptions({
  usage: USAGE,
  options: { rounds: { type: 'whole', least: 1, default: 400 }, from: { type: 'whole', least: 0 } },
})
const AT_ONCE = 40
const first = values.from ?? nextCase('enables')
const end = first + values.rounds

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
