import { failed, notObservable, PASSED, withUnobserved, type Finding } from '../../finding.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { acceptedLikeControl, oneEffectLikeControl } from '../../toolkit/control-comparison.ts'
import { describeEffects } from '../../toolkit/expectations.ts'
import { expectedEffect, noPaymentUrl, type ExpectedEffect } from '../../toolkit/expected-effect.ts'
import { withAmount } from '../../toolkit/forgery.ts'
import { craftMessage } from '../../toolkit/messages.ts'
import type { EffectState } from '../../toolkit/ports.ts'
import { formatMoney } from '../../../spec/money.ts'

export const amounts: ReceiverCheck = {
  id: 'body/amounts',
  severity: 'must',
  requirement:
    'The receiver acts on exactly the given integer of minor units, from 0 to 2^53−1, in any currency.',
  lines: [53],
  readings: ['delivery-success'],
  needs: ['effects'],
  meaning:
    'If an amount is divided, rounded, cut to 32 bits or scaled by its currency, each release is wrong. It can be a hundred times too much or a cent too little.',
  remedy:
    'Keep amounts as 64-bit integers of minor units with their currency. For every currency, 100 means 1.00.',
  run: checkAmounts,
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
  // In floating point, 100 times 1.15, 8.20 or 4.35 is less than these.
  { amount: 115, currency: 'AUD' },
  { amount: 820, currency: 'AUD' },
  { amount: 435, currency: 'AUD' },
  { amount: 1999, currency: 'AUD' },
  { amount: 123_456_789_012_347, currency: 'AUD' },
  { amount: 2_147_483_648, currency: 'AUD' },
  { amount: Number.MAX_SAFE_INTEGER, currency: 'AUD' },
  { amount: 0, currency: 'AUD' },
]

interface PaidCase extends Case {
  readonly due: ExpectedEffect
  readonly messages: readonly Message[]
}

async function checkAmounts(context: CheckContext): Promise<Finding> {
  const cases: PaidCase[] = []
  for (const one of CASES) {
    const due = await expectedEffect(context)
    if (!due) return noPaymentUrl()
    const { amount, currency } = one
    const message = await craftMessage(context, due.message, (object) => ({
      ...withAmount(object, amount),
      currency,
    }))
    const label = `${message.label} of ${formatMoney(amount, currency)}`
    cases.push({ ...one, due, messages: [...due.before, { ...message, label }] })
  }
  const comparisons = cases.flatMap(({ messages, due }) =>
    messages.map((message) => ({
      message,
      control: async () => (await expectedEffect(context))?.message ?? due.message,
    })),
  )
  const refused = await acceptedLikeControl(context, comparisons)
  if (refused) return refused
  // An amount of zero may have no effect.
  const acted = cases.filter(({ amount }) => amount > 0)
  const awaited = acted.map(({ due: { target }, amount, currency }) => ({
    target,
    because: `a payment of ${formatMoney(amount, currency)}`,
  }))
  return (await oneEffectLikeControl(context, ...awaited)) ?? checkAmountsRead(context, cases)
}

async function checkAmountsRead({ effects }: CheckContext, cases: readonly PaidCase[]): Promise<Finding> {
  const shown: EffectState[] = []
  for (const one of cases) {
    const seen = await effects.read(one.due.target)
    if (isOtherAmount(seen, one))
      return failed(`an effect of ${formatMoney(one.amount, one.currency)}`, describeEffects(seen), {
        objects: [one.due.target],
      })
    if (one.amount > 0 && seen.amount !== undefined) shown.push(seen)
  }
  if (shown.length === 0) return notObservable('its effects page does not show amounts')
  const isBare = shown.every(({ currency }) => currency === undefined)
  return withUnobserved(PASSED, isBare ? 'the currency, which its effects do not tell' : undefined)
}

function isOtherAmount(seen: EffectState, { amount, currency }: Case): boolean {
  if (seen.effects === 0) return false
  return (
    (seen.amount !== undefined && seen.amount !== amount) ||
    (seen.currency !== undefined && seen.currency !== currency)
  )
}
