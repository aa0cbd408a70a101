import { readOptions, refuseOptions } from '../../support/script-options.ts'
import { seedLine, testSeed } from '../../support/test-seed.ts'
import { recordRun } from '../results.ts'
import { tryCases, type CaseKind } from './try-cases.ts'
import { UNAVAILABLE } from './unavailable.ts'

const USAGE = `npm run proof -- nodes               300 kills, 50 stops and 20 restarts, drawn from HOOKBENCH_TEST_SEED or a new seed
npm run proof -- nodes --kills 10    the number of a kind: --kills, --stops, --restarts`

if (UNAVAILABLE !== undefined) refuseOptions(USAGE, `Cannot run this proof: ${UNAVAILABLE}`)

const { values } = readOptions({
  usage: USAGE,
  options: {
    kills: { type: 'whole', least: 0, default: 300 },
    stops: { type: 'whole', least: 0, default: 50 },
    restarts: { type: 'whole', least: 0, default: 20 },
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
const cases = kinds.map((kind, index) => ({ number: testSeed + index, kind }))

console.log(seedLine)
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
  recordRun({ proof: 'nodes', from: testSeed + index, cases: part.length, failures, seconds, detail })
  if (failures.length > 0) process.exitCode = 1
}
