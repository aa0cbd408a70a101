import { readOptions } from '../../support/script-options.ts'
import { printFailures, recordSeeds } from '../results.ts'
import { hostileRequest, tryCases } from './try-cases.ts'

const USAGE = `npm run proof -- hostile                 1,000 requests to each listener, drawn from HOOKBENCH_TEST_SEED or a new seed
npm run proof -- hostile --cases 5000    the number of requests
npm run proof -- hostile --from 12       the requests from this number on, printed and not recorded`

const { values } = readOptions({
  usage: USAGE,
  options: { cases: { type: 'whole', least: 1, default: 1_000 }, from: { type: 'whole', least: 0 } },
})
const PART = 500

const numbersFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index)

if (values.from === undefined)
  await recordSeeds({ proof: 'hostile', cases: values.cases, partSize: PART }, async (first, cases) => {
    const { refused, longestTurnMs, failures } = await tryCases(numbersFrom(first, cases))
    const turn = `longest turn ${Math.round(longestTurnMs)} ms`
    return { failures, detail: `${refused} of ${2 * cases} requests refused, ${turn}` }
  })
else {
  for (const listener of ['service', 'bench'] as const)
    console.log(listener, hostileRequest(listener, values.from))
  const { failures } = await tryCases(numbersFrom(values.from, values.cases))
  printFailures(failures)
  if (failures.length === 0) console.log('No request does harm')
}
