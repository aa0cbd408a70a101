import { spawn } from 'node:child_process'
import { recordRun } from '../results.ts'
import { FAMILY, runFamilyMember } from '../../support/receiver-family.ts'
import { readOptions } from '../../support/script-options.ts'

const USAGE = `npm run proof -- verdicts-under-load                  all checks on careful receivers ten times: no verdict may change
npm run proof -- verdicts-under-load queue-and-ack    on these receivers
npm run proof -- verdicts-under-load --runs 20        so many times, the last three beside busy loops`

const { values, names: given } = readOptions({
  usage: USAGE,
  options: { runs: { type: 'whole', least: 1, default: 10 } },
  names: { of: 'receiver', allowed: FAMILY.map(({ name }) => name) },
})
const names = given.length > 0 ? given : ['items-shop', 'queue-and-ack', 'inline-python']
const { runs } = values
const firstLoaded = runs - 3

async function besideLoops<Result>(count: number, work: () => Promise<Result>): Promise<Result> {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  try {
    return await work()
  } finally {
    for (const loop of loops) loop.kill('SIGKILL')
  }
}

let changes = 0
for (const name of names) {
  const member = FAMILY.find((each) => each.name === name)
  if (!member) throw new RangeError(`There is no receiver "${name}"`)
  const first = new Map<string, string>()
  for (let run = 0; run < runs; run++) {
    const loops = run < firstLoaded ? 0 : 3
    const { results, tookMs, effectDelay } = await besideLoops(loops, () => runFamilyMember(member))
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
    recordRun({ proof, cases: 1, failures, seconds: Math.round(tookMs / 1000) })
  }
}
console.log(changes === 0 ? 'No verdict has changed' : `${changes} verdicts have changed or are wrong`)
process.exitCode = changes === 0 ? 0 : 1
