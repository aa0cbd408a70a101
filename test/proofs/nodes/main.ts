import { parseArgs } from 'node:util'
import { nextCase, recordRun } from '../results.ts'
import { tryCases, type CaseKind } from './try-cases.ts'

/** Plays so many cases of each kind, numbered from where the last run ended, or again from `--from` without a record. */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    stops: { type: 'string', default: '50' },
    restarts: { type: 'string', default: '20' },
    from: { type: 'string' },
  },
})
const kinds: readonly CaseKind[] = (
  [
    ['kill', values.kills],
    ['stop', values.stops],
    ['restart', values.restarts],
  ] as const
).flatMap(([kind, count]) => Array.from({ length: Number(count) }, () => kind))

/** How many are played with the same nodes, and recorded at once. */
const AT_ONCE = 10
const first = values.from === undefined ? nextCase('nodes') : Number(values.from)
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
