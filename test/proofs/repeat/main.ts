import { readOptions } from '../../support/script-options.ts'
import { readRuns, recordRun } from '../results.ts'
import { runOnce, situationOf } from './repeat.ts'

const USAGE = `npm run proof -- repeat              npm test 21 times, with the runs that are kept already
npm run proof -- repeat --runs 42    the number of runs`

const { values } = readOptions({
  usage: USAGE,
  options: { runs: { type: 'whole', least: 1, default: 21 } },
})
const { runs } = values

/** Most runs have the machine to themselves. Some runs compete with three busy loops, and one run uses a single core. */
const kept = readRuns().filter(({ proof }) => proof === 'repeat').length
for (let next = kept; next < runs; next++) {
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
