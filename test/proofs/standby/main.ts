import { readOptions, refuseOptions } from '../../support/script-options.ts'
import { whyMissing } from '../../support/tools.ts'
import { seedLine, testSeed } from '../../support/test-seed.ts'
import { recordPart } from '../results.ts'
import { tryCases, type CaseKind } from './try-cases.ts'

const USAGE = `npm run proof -- standby               300 kills, 50 freezes and 30 outages, drawn from HOOKBENCH_TEST_SEED or a new seed
npm run proof -- standby --kills 10    the number of a kind: --kills, --freezes, --outages`

const missing = whyMissing('postgresql')
if (missing !== undefined) refuseOptions(USAGE, `Cannot run this proof: ${missing}`)

const { values } = readOptions({
  usage: USAGE,
  options: {
    kills: { type: 'whole', least: 0, default: 300 },
    freezes: { type: 'whole', least: 0, default: 50 },
    outages: { type: 'whole', least: 0, default: 30 },
  },
})
const kinds: readonly CaseKind[] = (
  [
    ['kill', values.kills],
    ['freeze', values.freezes],
    ['outage', values.outages],
  ] as const
).flatMap(([kind, count]) => Array.from({ length: count }, () => kind))
if (kinds.length === 0)
  refuseOptions(USAGE, 'Cannot play 0 cases: one of --kills, --freezes and --outages has to be above 0')

/** The number of cases that share processes. */
const AT_ONCE = 10
const cases = kinds.map((kind, index) => ({ number: testSeed + index, kind }))

console.log(seedLine)
const takeovers: number[] = []
for (let index = 0; index < cases.length; index += AT_ONCE) {
  const part = cases.slice(index, index + AT_ONCE)
  await recordPart({ proof: 'standby', from: testSeed + index }, () => tryPart(part))
}

async function tryPart(part: typeof cases) {
  const failures: string[] = []
  await tryCases(part, (tried) => {
    failures.push(...tried.failures)
    takeovers.push(tried.takeoverMs)
    console.log(`${tried.kind} ${tried.number}: served after ${tried.takeoverMs} ms`)
  })
  const counts = (['kill', 'freeze', 'outage'] as const)
    .map((kind) => `${part.filter((each) => each.kind === kind).length} × ${kind}`)
    .join(', ')
  const detail = `${counts}, and the next acknowledged change after at most ${Math.max(...takeovers)} ms`
  return { cases: part.length, failures, detail }
}

const sorted = takeovers.toSorted((one, other) => one - other)
console.log(
  `Time to the next acknowledged change: median ${sorted[sorted.length >> 1]} ms, most ${sorted.at(-1)} ms`,
)
