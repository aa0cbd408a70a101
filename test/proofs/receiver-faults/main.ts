import { readOptions } from '../../support/script-options.ts'
import { printFailures, recordPart } from '../results.ts'
import { tryNetwork } from './network-rows.ts'
import { ROWS, ROWS_NOT_RUN, tryAll } from './rows.ts'

const USAGE = `npm run proof -- receiver-faults               every fault of a receiver both ways, and those of a network if the machine allows it
npm run proof -- receiver-faults --rounds 3    the number of times
npm run proof -- receiver-faults R05 T03       some faults, not recorded`

const { values, names } = readOptions({
  usage: USAGE,
  options: { rounds: { type: 'whole', least: 1, default: 1 } },
  names: { of: 'fault', allowed: [...new Set(ROWS.map(({ id }) => id))] },
})

if (names.length > 0) {
  const { cases, failures } = await tryAll(ROWS.filter(({ id }) => names.includes(id)))
  console.log(`${cases} cases: ${failures.length} without the exact outcome`)
  printFailures(failures)
} else
  for (let round = 0; round < values.rounds; round++) {
    const { network } = await recordPart({ proof: 'receiver-faults' }, async () => {
      const receivers = await tryAll(ROWS)
      const ofNetwork = await tryNetwork()
      const cases = receivers.cases + ofNetwork.cases
      const detail = `${cases / 2} faults, each as test POST and as delivery, ${ofNetwork.cases / 2} of them of a network`
      return { cases, failures: [...receivers.failures, ...ofNetwork.failures], detail, network: ofNetwork }
    })
    for (const line of [...ROWS_NOT_RUN, ...network.notRun]) console.log(`Not run: ${line}`)
    if (process.env['CI'] !== undefined && network.cases === 0) process.exitCode = 1
  }
