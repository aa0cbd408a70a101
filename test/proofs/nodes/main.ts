import { readOptions, refuseOptions } from '../../support/script-options.ts'
import { nextCase, recordRun } from '../results.ts'
import { tryCases, type CaseKind } from './try-cases.ts'

const USAGE = `npm run nodes                  the next 300 kills, 50 stops and 20 restarts
npm run nodes -- --kills 10    so many of a kind: --kills, --stops, --restarts
npm run nodes -- --from 120    from this one on, without a record`

const { values } = readOptions({
  usage: USAGE,
  options: {
    kills: { type: 'whole', least: 0, default: 300 },
    stops: { type: 'whole', least: 0, default: 50 },
    restarts: { type: 'whole', least: 0, default: 20 },
    from: { type: 'whole', least: 0 },
  },
})
const kinds: readonly CaseKind[] = (
  [
    ['kill', values.kills],
    ['stop', values.stops],
    ['restart', values.restarts],
  ] as const
).flatMap(([kind, count]) => Array.from({ length: count }, () => kind))
if (kinds.length === 0)
  refuseOptions(USAGE, 'Cannot play 0 cases: one of --kills, --stops and --restarts has to be above 0')

/** How many are played with the same nodes, and recorded at once. */
const AT_ONCE = 10
const first = values.from ?? nextCase('nodes')
const cases = kinds.map((kind, index) => ({ number: first + index, kind }))

for (let index = 0; index < cases.length; index += AT_ONCE) {
  const part = cases.slice(index, index + AT_ONCE)
  const startedAt = performance.now()
  const failures: string[] = []
  await tryCases(part, (tried) => {
    failures.push(...tried.failures)
    console.log(`${tried.kind} ${tried.number}: ${tried.failures.length} failures`)
    for (const line of tried.failures) console.error(line)
  })
  const seconds = (performance.now() - startedAt) / 1_000
  const detail = (['kill', 'stop', 'restart'] as const)
    .map((kind) => `${part.filter((each) => each.kind === kind).length} × ${kind}`)
    .join(', ')
  if (values.from === undefined)
    recordRun({ proof: 'nodes', from: first + index, cases: part.length, failures, seconds, detail })
  if (failures.length > 0) process.exitCode = 1
}
