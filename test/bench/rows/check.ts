import { FAMILY, runFamilyMember } from '../../support/receiver-family.ts'
import type { Row } from '../row.ts'

const RECEIVER = 'starter'

export const CHECK: Row = {
  id: 'check',
  what: 'the time that `hookbench check` takes to run all listed checks, at all levels, against the starter receiver',
  unit: 's',
  better: 'less',
  bar: 10,
  goal: 8,
  instead: 'checks against the pre-live service, which take a day',
  profile: `For about half of the time, checks run in parallel, and both processors are busy. Then six checks stop and start the receiver, one after the other.`,
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
