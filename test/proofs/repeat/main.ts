import { readOptions } from '../../support/script-options.ts'
import { nextCase, recordRun } from '../results.ts'
import { runOnce, situationOf } from './repeat.ts'

const USAGE = `npm run test:repeat                 npm test until it was run 21 times, going on where it was stopped
npm run test:repeat -- --runs 42    until it was run so many times`

const { values } = readOptions({
  usage: USAGE,
  options: { runs: { type: 'whole', least: 1, default: 21 } },
})
const { runs } = values

/** Most runs are alone, some beside three busy loops, and one on one core. */
for (let next = nextCase('repeat'); next < runs; next = nextCase('repeat')) {
  const situation = situationOf(next)
  const { seconds, failure, output } = await runOnce(['npm', 'test'], situation)
  recordRun({
    proof: 'repeat',
    from: next,
    cases: 1,
    failures: failure === undefined ? [] : [failure],
    seconds,
  })
  console.log(`Run ${next + 1} of ${runs}, ${situation}: ${failure ?? 'passed'}, ${seconds.toFixed(0)} s`)
  if (failure === undefined) continue
  console.error(output.slice(-10_000))
  process.exitCode = 1
}
