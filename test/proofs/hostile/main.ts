import { readOptions } from '../../support/script-options.ts'
import { seedLine, testSeed } from '../../support/test-seed.ts'
import { recordPart, regressionSeeds } from '../results.ts'
import { hostileRequest, tryCases } from './try-cases.ts'

const USAGE = `npm run proof -- hostile                 1,000 requests to each listener, drawn from HOOKBENCH_TEST_SEED or a new seed
npm run proof -- hostile --cases 5000    the number of requests
npm run proof -- hostile --from 12       the requests from this number on, printed and not recorded`

const { values } = readOptions({
  usage: USAGE,
  options: { cases: { type: 'whole', least: 1, default: 1_000 }, from: { type: 'whole', least: 0 } },
})
const AT_ONCE = 500
const first = values.from ?? testSeed
const end = first + values.cases

if (values.from === undefined) {
  console.log(seedLine)
  const { failures } = await tryCases(regressionSeeds('hostile'))
  for (const line of failures) console.error(line)
  if (failures.length > 0) process.exitCode = 1
}
for (let from = first; from < end; from += AT_ONCE) {
  const cases = Math.min(AT_ONCE, end - from)
  const numbers = Array.from({ length: cases }, (_, index) => from + index)
  if (values.from !== undefined) {
    for (const listener of ['service', 'bench'] as const)
      console.log(listener, hostileRequest(listener, from))
    const { failures } = await tryCases(numbers)
    console.log(failures.length === 0 ? 'No request does harm' : failures.join('\n'))
    process.exitCode = failures.length > 0 ? 1 : 0
  } else
    await recordPart({ proof: 'hostile', from }, async () => {
      const { refused, longestTurnMs, failures } = await tryCases(numbers)
      const turn = `longest turn ${Math.round(longestTurnMs)} ms`
      return { cases, failures, detail: `${refused} of ${2 * cases} requests refused, ${turn}` }
    })
}
