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
  profile: `It waits: 1 s after each thing after which nothing may happen (windowMs), in some checks several times, one after the other; and 8 s for the slow Show, beside the others. Side by side the checks keep both processors busy: about 10 s of them are ours, half of it asking what the receiver has done and called. What has the receiver for itself takes half of the time: seven checks, five of which start it anew. Tried with gain: what takes long begins first (up to 8 s), a receiver is watched for its second call before anything hangs (8 s), payments after an outage judged side by side (2 s), no rest after what rests already (2 s). Tried without: looking seldomer. A shorter window would make verdicts less sure.`,
  async measure() {
    const member = FAMILY.find(({ name }) => name === RECEIVER)
    if (!member) throw new Error(`Cannot measure: there is no receiver "${RECEIVER}"`)
    const { results, tookMs } = await runFamilyMember(member)
    const longest = results.toSorted((a, b) => b.tookMs - a.tookMs)[0]
    const detail = `${Math.round(tookMs / 1_000)} s, of which ${longest?.check.id} takes ${Math.round((longest?.tookMs ?? 0) / 1_000)} s`
    return { value: (tookMs - (longest?.tookMs ?? 0)) / 1_000, detail }
  },
}
