import { parseArgs } from 'node:util'
import { nextCase, recordRun } from '../proofs/results.ts'
import { besideLoops } from '../support/busy-loops.ts'
import { FAMILY, runFamilyMember } from '../support/receiver-family.ts'

/**
 * Runs all checks on careful receivers again and again, some runs beside busy loops: no verdict may change.
 * `npm run test:load -- --runs 10 --loaded 3 queue-and-ack`
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '10' },
    /** How many of them, the last ones, run beside busy loops. */
    loaded: { type: 'string', default: '3' },
    loops: { type: 'string', default: '3' },
    checks: { type: 'string', default: '' },
  },
})
const names = positionals.length > 0 ? positionals : ['items-shop', 'queue-and-ack', 'inline-python']
const runs = Number(values.runs)
const firstLoaded = runs - Number(values.loaded)
const checks = values.checks === '' ? [] : values.checks.split(',')

let changes = 0
for (const name of names) {
  const member = FAMILY.find((each) => each.name === name)
  if (!member)
    throw new RangeError(`There is no receiver "${name}": ${FAMILY.map((each) => each.name).join(', ')}`)
  const first = new Map<string, string>()
  for (let run = 0; run < runs; run++) {
    const loops = run < firstLoaded ? 0 : Number(values.loops)
    const { results, tookMs, effectDelay } = await besideLoops(loops, () =>
      runFamilyMember(member, { checks }),
    )
    const beside = loops === 0 ? '' : ` beside ${loops} busy loops`
    const latest = Math.round(effectDelay?.latestMs ?? 0)
    console.log(
      `${name}, run ${run + 1}${beside}: ${Math.round(tookMs / 1000)} s, effects after up to ${latest} ms`,
    )
    const failures: string[] = []
    for (const { check, verdict, finding } of results) {
      const before = first.get(check.id)
      if (before === undefined) first.set(check.id, verdict)
      const isWrong = verdict === 'failed' || verdict === 'inconclusive'
      if (!isWrong && (before === undefined || before === verdict)) continue
      failures.push(`${name}: ${check.id} ${before ?? 'first'} → ${verdict}`)
      console.log(
        `  ${check.id}: ${before ?? 'first'} → ${verdict}`,
        JSON.stringify(finding)?.slice(0, 1_000),
      )
    }
    changes += failures.length
    const proof = 'verdicts-under-load'
    recordRun({ proof, from: nextCase(proof), cases: 1, failures, seconds: Math.round(tookMs / 1000) })
  }
}
console.log(changes === 0 ? 'No verdict has changed' : `${changes} verdicts have changed or are wrong`)
process.exitCode = changes === 0 ? 0 : 1
