import { failed, notObservable, PASSED, withUnobserved, type Finding, type Exchange } from '../../finding.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import { acceptedLikeControl, oneEffectLikeControl } from '../../toolkit/control-comparison.ts'
import {
  describeEffects,
  expectAccepted,
  isAccepted,
  requireAccepted,
  sendAll,
} from '../../toolkit/expectations.ts'
import { expectedEffect, noPaymentUrl, type ExpectedEffect } from '../../toolkit/expected-effect.ts'
import { withAmount, craftMessage } from '../../toolkit/messages.ts'
import type { EffectState } from '../../toolkit/ports.ts'
import { formatMoney } from '../../../spec/money.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import { freshNumber } from '../../toolkit/golden-message.ts'
import { describeMissingUrls, noUrlFor, typesWithUrl } from '../../toolkit/unobserved.ts'

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

const TYPES = ['users', 'accounts'] as const

export const oddIds: ReceiverCheck = {
  id: 'body/odd-ids',
  severity: 'must',
  requirement: 'The receiver accepts ids that are numbers or any text, and asks back by exactly that id.',
  lines: [56],
  readings: ['delivery-success', 'user-ids'],
  uses: ['calls'],
  meaning:
    'Customers with an unusual id are unknown to the receiver. Their payments are rejected, or booked for another customer.',
  remedy: 'Store every id as text, and percent-encode it in a path.',
  run: checkOddIds,
}

async function checkOddIds(context: CheckContext): Promise<Finding> {
  const types = typesWithUrl(context, TYPES)
  if (types.length === 0) return noUrlFor(TYPES)
  const control = []
  if (types.includes('users')) control.push(context.messageFor(await context.service.create('users')))
  const odd = await makeOddMessages(context, types)
  const controls = await sendAll(context, control, { role: 'control' })
  const sent = controls.every(isAccepted) ? await sendAll(context, odd) : []
  const refused = requireAccepted(...controls) ?? expectAccepted(...sent)
  if (refused) return refused
  if (!context.calls.observable)
    return withUnobserved(PASSED, describeMissingUrls(context, TYPES), 'its calls to the service')
  const asked: NotifiedType[] = []
  for (const message of control) if (await isAskedFor(context, message)) asked.push(message.type)
  for (const message of odd.filter(({ type }) => type === 'accounts' || asked.includes(type))) {
    if (await isAskedFor(context, message)) asked.push(message.type)
    else if (asked.includes(message.type)) return missingCall(context, message, sent)
  }
  const ignored = types.filter((type) => !asked.includes(type))
  const unobserved =
    ignored.length > 0 ? `it does not ask the service about ${ignored.join(', ')}` : undefined
  return withUnobserved(PASSED, describeMissingUrls(context, TYPES), unobserved)
}

/** Only a receiver that asks about the same type under another id must ask here. */
async function missingCall(
  { calls }: CheckContext,
  { type, id, label }: Message,
  sent: readonly Exchange[],
): Promise<Finding> {
  const strays = await calls.strays()
  return failed(
    `a call to the service about ${type} "${id}"`,
    `${label} was accepted, and no call was about that id`,
    {
      exchanges: sent.filter(({ about }) => about?.id === id),
      calls: strays.filter(({ object_type }) => object_type === type || object_type === null),
      field: 'id',
    },
  )
}

/** Accounts also have a uuid. */
async function isAskedFor({ calls }: CheckContext, { type, id, body }: Message): Promise<boolean> {
  const uuid = type === 'accounts' ? /"uuid":"([^"]+)"/.exec(body)?.[1] : undefined
  if (uuid !== undefined && (await calls.about({ type, id: uuid })).length > 0) return true
  if ((await calls.settle({ type, id })).length > 0) return true
  return uuid !== undefined && (await calls.about({ type, id: uuid })).length > 0
}

/** Any text, with pairs that differ only in case or Unicode form. Source: §2.3 */
function oddUserIds(number: number): readonly string[] {
  const id = `ref-${number} ä+b`
  return [`${number}`, `buyer-${number}.a@x`, `Buyer-${number}.A@x`, id.normalize('NFC'), id.normalize('NFD')]
}

async function makeOddMessages(
  context: CheckContext,
  types: readonly NotifiedType[],
): Promise<readonly Message[]> {
  const { service } = context
  const number = freshNumber(context)
  const messages: Message[] = []
  if (types.includes('users')) {
    for (const id of oddUserIds(number)) {
      const message = context.messageFor(await service.create('users', { id }))
      messages.push({ ...message, label: `users "${id}"` })
    }
  }
  if (types.includes('accounts')) {
    const message = context.messageFor(await service.create('accounts', { id: number + 1 }))
    messages.push({ ...message, label: `accounts ${number + 1}` })
  }
  return messages
}
