import { acceptedAsUsual, oneEffectAsUsual } from '../../toolkit/as-usual.ts'
import type { CheckContext, Notice, ReceiverCheck } from '../../toolkit/check-context.ts'
import { crafted } from '../../toolkit/crafted.ts'
import { dueEffect, nothingDue, type Due } from '../../toolkit/due.ts'
import type { EffectState } from '../../toolkit/effects.ts'
import { failed, notObservable, PASSED, type Finding } from '../../finding.ts'
import { sentence } from '../../toolkit/judge.ts'
import { butUnseen } from '../../toolkit/unseen.ts'

export const amounts: ReceiverCheck = {
  id: 'body/amounts',
  severity: 'must',
  requirement:
    'The receiver acts on exactly the integer of minor units that it is told, from nothing up to 2^53−1, in any currency.',
  lines: [53],
  readings: ['delivery-success'],
  needs: ['effects'],
  meaning:
    'An amount that is divided, rounded, cut to 32 bits or scaled by its currency releases a hundred times too much, or a cent too little, each time.',
  remedy:
    'Keep amounts as 64-bit integers of minor units with their currency; for every currency 100 means 1.00.',
  run: actsOnExactAmounts,
}

interface Case {
  readonly amount: number
  readonly currency: string
}

const CASES: readonly Case[] = [
  { amount: 1, currency: 'AUD' },
  { amount: 100, currency: 'AUD' },
  { amount: 100, currency: 'JPY' },
  { amount: 1001, currency: 'KWD' },
  { amount: 2_147_483_648, currency: 'AUD' },
  { amount: Number.MAX_SAFE_INTEGER, currency: 'AUD' },
  { amount: 0, currency: 'AUD' },
]

interface Told extends Case {
  readonly due: Due
  readonly notices: readonly Notice[]
}

async function actsOnExactAmounts(context: CheckContext): Promise<Finding> {
  const cases: Told[] = []
  for (const one of CASES) {
    const due = await dueEffect(context)
    if (!due) return nothingDue()
    const { amount, currency } = one
    const notice = await crafted(context, due.notice, (object) => ({ ...object, amount, currency }))
    const label = `${notice.label} of ${amount} ${currency}`
    cases.push({ ...one, due, notices: [...due.before, { ...notice, label }] })
  }
  const unusual = cases.flatMap(({ notices, due }) =>
    notices.map((notice) => ({
      notice,
      usual: async () => (await dueEffect(context))?.notice ?? due.notice,
    })),
  )
  const refused = await acceptedAsUsual(context, unusual)
  if (refused) return refused
  // An amount of nothing may have no effect.
  const acted = cases.filter(({ amount }) => amount > 0)
  const awaited = acted.map(({ due: { target }, amount, currency }) => ({
    target,
    because: `a payment of ${amount} ${currency}`,
  }))
  return (await oneEffectAsUsual(context, ...awaited)) ?? readAmounts(context, cases)
}

async function readAmounts({ effects }: CheckContext, cases: readonly Told[]): Promise<Finding> {
  const shown: EffectState[] = []
  for (const one of cases) {
    const seen = await effects.read(one.due.target)
    if (isOther(seen, one)) return failed(`an effect of ${one.amount} ${one.currency}`, sentence(seen))
    if (one.amount > 0 && seen.amount !== undefined) shown.push(seen)
  }
  if (shown.length === 0) return notObservable('what shows its effects does not tell their amount')
  const isBare = shown.every(({ currency }) => currency === undefined)
  return butUnseen(PASSED, isBare ? 'the currency, which its effects do not tell' : undefined)
}

function isOther(seen: EffectState, { amount, currency }: Case): boolean {
  if (seen.effects === 0) return false
  return (
    (seen.amount !== undefined && seen.amount !== amount) ||
    (seen.currency !== undefined && seen.currency !== currency)
  )
}
