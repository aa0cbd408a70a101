import { parseArgs } from 'node:util'
import { nextCase, recordRun } from '../results.ts'
import { runOnce, situationOf } from './repeat.ts'

/**
 * Runs `npm test` until it has been run `--runs` times, 21 if left out, and goes on where it was stopped: most runs alone, some beside
 * three busy loops, and one on one core.
 */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '21' } } })
const runs = Number(values.runs)
if (!(Number.isSafeInteger(runs) && runs > 0))
  throw new RangeError('Cannot repeat: --runs takes a number above 0')

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
