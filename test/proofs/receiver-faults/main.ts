import { readOptions } from '../../support/script-options.ts'
import { nextCase, recordRun } from '../results.ts'
import { tryNetwork } from './network.ts'
import { ROWS, ROWS_NOT_RUN } from './rows.ts'
import { tryAll } from './try-all.ts'

const USAGE = `npm run test:faults                  every fault of a receiver both ways, and those of a network where the machine lets it
npm run test:faults -- --rounds 3    so many times`

const { values } = readOptions({
  usage: USAGE,
  options: { rounds: { type: 'whole', least: 1, default: 1 } },
})

for (let round = 0; round < values.rounds; round++) {
  const startedAt = performance.now()
  const receivers = await tryAll(ROWS)
  const network = await tryNetwork()
  const failures = [...receivers.failures, ...network.failures]
  const cases = receivers.cases + network.cases
  const detail = `${cases / 2} faults, each as test POST and as delivery, ${network.cases / 2} of them of a network`
  recordRun({
    proof: 'receiver-faults',
    from: nextCase('receiver-faults'),
    cases,
    failures,
    seconds: (performance.now() - startedAt) / 1_000,
    detail,
  })
  console.log(`${detail}: ${failures.length} without the exact outcome`)
  for (const line of [...ROWS_NOT_RUN, ...network.notRun]) console.log(`Not run: ${line}`)
  for (const line of failures) console.error(line)
  if (failures.length > 0) process.exitCode = 1
}
