import {
  failed,
  notObservable,
  PASSED,
  withUnobserved,
  type Exchange,
  type Finding,
  type ObjectRef,
} from '../../finding.ts'
import { findBookingDifference } from '../../toolkit/booked-effect.ts'
import type { CheckContext, Message, ReceiverCheck } from '../../toolkit/check-context.ts'
import {
  acceptedLikeControl,
  comparePayment,
  oneEffectLikeControl,
  type Comparison,
} from '../../toolkit/control-comparison.ts'
import {
  describeEffects,
  expectAccepted,
  isAccepted,
  requireAccepted,
  sendAll,
} from '../../toolkit/expectations.ts'
import { expectedEffect, NO_PAYMENT_URL } from '../../toolkit/expected-effect.ts'
import { craftMessage, withMoney } from '../../toolkit/messages.ts'
import { formatMoney } from '../../../spec/money.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import { freshNumber } from '../../toolkit/golden-message.ts'
import { describeMissingUrls, noUrlFor, typesWithUrl } from '../../toolkit/unobserved.ts'

export const valueChecks: readonly ReceiverCheck[] = [
  {
    id: 'body/odd-ids',
    severity: 'must',
    requirement:
      'The receiver accepts any number or text as an id, and asks the service for exactly that id.',
    lines: [56],
    readings: ['delivery-success', 'user-ids'],
    uses: ['calls'],
    meaning:
      'The receiver does not recognise customers with an unusual id. The receiver rejects the payments of customers with an unusual id, or books them for another customer.',
    remedy: 'Store every id as text, and percent-encode it in a path.',
    run: checkOddIds,
  },
  {
    id: 'body/amounts',
    severity: 'must',
    requirement:
      'The receiver acts on the exact amount in minor units (an integer from 0 to 2^53−1), in any currency.',
    lines: [53],
    readings: ['delivery-success'],
    needs: ['effects'],
    meaning:
      'If the receiver divides, rounds, rescales or truncates (to 32 bits) an amount, your platform releases the wrong amount. The released amount can be a hundred times too high, or a cent too low.',
    remedy:
      'Store each amount in minor units, as a 64-bit integer, together with its currency. In every currency, the amount 100 means 1.00.',
    run: checkAmounts,
  },
]

const AMOUNTS: readonly (readonly [amount: number, currency: string])[] = [
  [1, 'AUD'],
  [100, 'AUD'],
  [100, 'JPY'],
  [1001, 'KWD'],
  // In floating point, 1.15 × 100 is less than 115. The products 8.20 × 100 and 4.35 × 100 are also too small.
  [115, 'AUD'],
  [820, 'AUD'],
  [435, 'AUD'],
  [1999, 'AUD'],
  [123_456_789_012_347, 'AUD'],
  [2_147_483_648, 'AUD'],
  [Number.MAX_SAFE_INTEGER, 'AUD'],
  [0, 'AUD'],
]

interface PaidAmount {
  readonly amount: number
  readonly currency: string
  readonly target: ObjectRef
  readonly because: string
}

async function checkAmounts(context: CheckContext): Promise<Finding> {
  const paid: PaidAmount[] = []
  const comparisons: Comparison[] = []
  for (const [amount, currency] of AMOUNTS) {
    const due = await expectedEffect(context)
    if (!due) return NO_PAYMENT_URL
    const crafted = await craftMessage(context, due.message, (object) => withMoney(object, amount, currency))
    const money = formatMoney(amount, currency)
    const message = { ...crafted, label: `${crafted.label} of ${money}` }
    comparisons.push(...comparePayment(context, [...due.before, message]))
    paid.push({ amount, currency, target: due.target, because: `a payment of ${money}` })
  }
  return (
    (await acceptedLikeControl(context, comparisons)) ??
    // A payment of zero need not have an effect.
    (await oneEffectLikeControl(context, ...paid.filter(({ amount }) => amount > 0))) ??
    checkAmountsRead(context, paid)
  )
}

async function checkAmountsRead({ effects }: CheckContext, paid: readonly PaidAmount[]): Promise<Finding> {
  const shown = []
  for (const { amount, currency, target } of paid) {
    const seen = await effects.read(target)
    const difference = findBookingDifference({ effects: seen.effects, amount, currency }, seen)
    if (difference) return failed(difference.expected, describeEffects(seen), { objects: [target] })
    if (amount > 0 && seen.amount !== undefined) shown.push(seen)
  }
  if (shown.length === 0) return notObservable('the effects of the receiver show no amounts')
  const isBare = shown.every(({ currency }) => currency === undefined)
  return withUnobserved(
    PASSED,
    isBare ? 'the currency, which the effects of the receiver do not show' : undefined,
  )
}

const TYPES = ['users', 'accounts'] as const

async function checkOddIds(context: CheckContext): Promise<Finding> {
  const types = typesWithUrl(context, TYPES)
  if (types.length === 0) return noUrlFor(TYPES)
  const control = []
  if (types.includes('users')) control.push(await context.service.create('users'))
  const odd = await makeOddMessages(context, types)
  const controls = await sendAll(context, control, { role: 'control' })
  const sent = controls.every(isAccepted) ? await sendAll(context, odd) : []
  const refused = requireAccepted(...controls) ?? expectAccepted(...sent)
  if (refused) return refused
  if (!context.calls.observable)
    return withUnobserved(
      PASSED,
      describeMissingUrls(context, TYPES),
      'the calls of the receiver to the service',
    )
  const asked: NotifiedType[] = []
  for (const message of control) if (await isAskedFor(context, message)) asked.push(message.type)
  for (const message of odd.filter(({ type }) => type === 'accounts' || asked.includes(type))) {
    if (await isAskedFor(context, message)) asked.push(message.type)
    else if (asked.includes(message.type)) return missingCall(context, message, sent)
  }
  const ignored = types.filter((type) => !asked.includes(type))
  const unobserved =
    ignored.length > 0 ? `the receiver does not ask the service about ${ignored.join(', ')}` : undefined
  return withUnobserved(PASSED, describeMissingUrls(context, TYPES), unobserved)
}

/** Returns a failure if the receiver asks the service about other objects of this type, but not about this object. */
async function missingCall({ calls }: CheckContext, { type, id, label }: Message, sent: readonly Exchange[]) {
  const strays = await calls.strays()
  return failed(
    `a call to the service about ${type} "${id}"`,
    `${label} was accepted, but the receiver made no call about that id`,
    {
      exchanges: sent.filter(({ about }) => about?.id === id),
      calls: strays.filter(({ object_type }) => object_type === type || object_type === null),
      field: 'id',
    },
  )
}

/** Returns true if the receiver asked about the object. A receiver may ask about an account by its uuid. */
async function isAskedFor({ calls }: CheckContext, { type, id, body }: Message): Promise<boolean> {
  const uuid = type === 'accounts' ? /"uuid":"([^"]+)"/.exec(body)?.[1] : undefined
  if (uuid !== undefined && (await calls.about({ type, id: uuid })).length > 0) return true
  if ((await calls.settle({ type, id })).length > 0) return true
  return uuid !== undefined && (await calls.about({ type, id: uuid })).length > 0
}

/** Returns unusual ids. Some pairs of ids differ only in letter case or Unicode normalization form. Source: §2.3 */
function oddUserIds(number: number): readonly string[] {
  const id = `ref-${number} ä+b`
  return [`${number}`, `buyer-${number}.a@x`, `Buyer-${number}.A@x`, id.normalize('NFC'), id.normalize('NFD')]
}

async function makeOddMessages(context: CheckContext, types: readonly NotifiedType[]) {
  const { service } = context
  const number = freshNumber(context)
  const messages: Message[] = []
  for (const id of types.includes('users') ? oddUserIds(number) : []) {
    const message = await service.create('users', { id })
    messages.push({ ...message, label: `users "${id}"` })
  }
  if (types.includes('accounts')) {
    const message = await service.create('accounts', { id: number + 1 })
    messages.push({ ...message, label: `accounts ${number + 1}` })
  }
  return messages
}
