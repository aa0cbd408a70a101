import { parseArgs } from 'node:util'
import { nextCase, recordRun } from '../results.ts'
import { hostileRequest, tryCases } from './try-cases.ts'

/** Sends `--cases` generated requests to each listener, from where the last run ended, or again from `--from` without a record. */
const { values } = parseArgs({
  options: { cases: { type: 'string', default: '1000' }, from: { type: 'string' } },
})
const AT_ONCE = 500
const first = values.from === undefined ? nextCase('hostile') : Number(values.from)
const end = first + Number(values.cases)

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
