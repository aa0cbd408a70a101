import { parseArgs } from 'node:util'
import { nextCase, recordRun } from '../results.ts'
import { soak } from './soak.ts'

/** Runs for `--minutes` (30) at `--rate` (100) changes a second. Times are judged in runs of 10 minutes and more. */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, rate: { type: 'string', default: '100' } },
})
const [minutes, rate] = [Number(values.minutes), Number(values.rate)]
if (!(minutes > 0 && rate > 0)) throw new RangeError('Cannot soak: --minutes and --rate take numbers above 0')

const startedAt = performance.now()
const { changes, failures, detail } = await soak({ minutes, rate, judgesTimes: minutes >= 10 })
recordRun({
  proof: 'soak',
  from: nextCase('soak'),
  cases: changes,
  failures,
  seconds: (performance.now() - startedAt) / 1_000,
  detail,
})
console.log(`${changes} changes, ${detail}: ${failures.length} failures`)
for (const line of failures) console.error(line)
if (failures.length > 0) process.exitCode = 1
