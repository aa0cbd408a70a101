import { readOptions, refuseOptions } from '../../support/script-options.ts'
import { recordPart } from '../results.ts'
import { soak } from './soak.ts'

const USAGE = `npm run proof -- soak                 100 changes a second for 30 minutes
npm run proof -- soak --minutes 2     so long; times are judged from 10 minutes on
npm run proof -- soak --rate 50       so many changes a second`

const { values } = readOptions({
  usage: USAGE,
  options: { minutes: { type: 'number', default: 30 }, rate: { type: 'number', default: 100 } },
})
const { minutes, rate } = values
if (Math.round(minutes * 60 * rate) === 0)
  refuseOptions(USAGE, `Cannot soak: ${minutes} minutes at ${rate} a second have not one change`)

await recordPart({ proof: 'soak' }, async () => {
  const { changes: cases, ...result } = await soak({ minutes, rate, judgesTimes: minutes >= 10 })
  return { cases, ...result }
})
