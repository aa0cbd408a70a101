import { FAMILY, runFamilyMember } from '../../support/receiver-family.ts'
import type { Row } from '../row.ts'

const RECEIVER = 'inline-python'

export const CHECK: Row = {
  id: 'check',
  what: '`hookbench check`, all levels, on a quick careful receiver, beyond its longest single wait',
  unit: 's',
  better: 'less',
  bar: 4,
  goal: 2,
  instead: 'the pre-live service: a day',
  async measure() {
    const member = FAMILY.find(({ name }) => name === RECEIVER)
    if (!member) throw new Error(`Cannot measure: there is no receiver "${RECEIVER}"`)
    const { results, tookMs } = await runFamilyMember(member)
    const longest = results.toSorted((a, b) => b.tookMs - a.tookMs)[0]
    const detail = `${Math.round(tookMs / 1_000)} s, of which ${longest?.check.id} takes ${Math.round((longest?.tookMs ?? 0) / 1_000)} s`
    return { value: (tookMs - (longest?.tookMs ?? 0)) / 1_000, detail }
  },
}
