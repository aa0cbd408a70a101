import { FAMILY, runFamilyMember } from '../../support/receiver-family.ts'
import type { Row } from '../row.ts'

const RECEIVER = 'starter'

export const CHECK: Row = {
  id: 'check',
  what: 'the listed checks of `hookbench check`, all levels, on the starter receiver',
  unit: 's',
  better: 'less',
  bar: 10,
  goal: 8,
  instead: 'the pre-live service, which needs a day',
  profile: `About half of the time, checks run side by side, and both processors are busy. Then six checks stop and start the receiver, one after the other.`,
  async measure() {
    const member = FAMILY.find(({ name }) => name === RECEIVER)
    if (!member) throw new Error(`Cannot measure: there is no receiver "${RECEIVER}"`)
    const { config } = member
    const { results, tookMs } = await runFamilyMember({
      ...member,
      config: (origin, page) => ({ ...config(origin, page), exploreMs: 0 }),
    })
    return { value: tookMs / 1_000, detail: `${results.length} checks` }
  },
}
