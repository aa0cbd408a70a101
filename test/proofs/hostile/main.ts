import { readOptions } from '../../support/script-options.ts'
import { nextCase, recordRun } from '../results.ts'
import { hostileRequest, tryCases } from './try-cases.ts'

const USAGE = `npm run hostile                    the next 1,000 generated requests to each listener
npm run hostile -- --cases 5000    so many, going on behind the last one that was sent
npm run hostile -- --from 12       from this one on, without a record`

const { values } = readOptions({
  usage: USAGE,
  options: { cases: { type: 'whole', least: 1, default: 1_000 }, from: { type: 'whole', least: 0 } },
})
const AT_ONCE = 500
const first = values.from ?? nextCase('hostile')
const end = first + values.cases

for (let from = first; from < end; from += AT_ONCE) {
  const cases = Math.min(AT_ONCE, end - from)
  const startedAt = performance.now()
  const { refused, longestTurnMs, failures } = await tryCases(from, cases)
  const detail = `${refused} of ${2 * cases} requests refused, longest turn ${Math.round(longestTurnMs)} ms`
  const seconds = (performance.now() - startedAt) / 1_000
  if (values.from === undefined) recordRun({ proof: 'hostile', from, cases, failures, seconds, detail })
  else
    for (const listener of ['service', 'bench'] as const)
      console.log(listener, hostileRequest(listener, from))
  console.log(`${from} to ${from + cases - 1}: ${detail}`)
  for (const line of failures) console.error(line)
  if (failures.length > 0) process.exitCode = 1
}
