import { formatMoney } from '../toolkit/booked-effect.ts'
import type { Branch } from '../toolkit/branches.ts'
import { CALL_BACKS, type DeliveryPlan, type ExploredCase, type PaymentPlan } from '../explored-case.ts'

/** A story that a person reads at a glance has at most so many lines. */
const MOST_LINES = 10

/** What is paid, and what is sent, one line each. */
export function tellStory(plan: ExploredCase, branches: readonly Branch[]): readonly string[] {
  const { payments, deliveries } = plan
  const lines = [
    ...payments.map((payment, of) => describePayment(payment, of, plan)),
    ...deliveries.map((delivery) => describeDelivery(delivery, plan, branches)),
  ]
  if (lines.length <= MOST_LINES) return lines
  const shown = lines.slice(0, MOST_LINES - 1)
  return [...shown, `… and ${lines.length - shown.length} more deliveries`]
}

function describePayment(
  { kind, outcome, amount, currency, person, item, sameIdAs, capitals, laterMs, via }: PaymentPlan,
  of: number,
  { people }: ExploredCase,
): string {
  const { id, name } = people[person ?? -1] ?? {}
  const money = amount === undefined ? '' : ` of ${formatMoney(amount, currency)}`
  const party = person === undefined ? '' : ` by person ${person + 1}`
  const details = [
    id === undefined ? undefined : `user id "${id}"`,
    name === undefined ? undefined : `named ${name}`,
    via === undefined ? undefined : `via ${via}`,
    item === undefined ? undefined : `paying the item of payment ${item + 1} again`,
    sameIdAs === undefined ? undefined : `whose object has the id of that of payment ${sameIdAs + 1}`,
    capitals === undefined ? undefined : 'its id in capitals',
    laterMs === undefined ? undefined : `its times ${describeShift(laterMs)}`,
  ].filter((each) => each !== undefined)
  const more = details.length === 0 ? '' : ` (${details.join(', ')})`
  return `Payment ${of + 1}: ${kind}${money}${party}, ${outcome}${more}`
}

function describeShift(laterMs: number): string {
  const seconds = Math.abs(laterMs) / 1_000
  const span = seconds < 7_200 ? `${seconds} s` : `${Math.round(seconds / 86_400)} days`
  return laterMs < 0 ? `${span} in the past` : `${span} in the future`
}

function describeDelivery(
  { of, part, generation, together, wire, callBack, restart }: DeliveryPlan,
  { payments }: ExploredCase,
  branches: readonly Branch[],
): string {
  const payment = payments[of]
  const branch = branches.find(({ kind, outcome }) => kind === payment?.kind && outcome === payment.outcome)
  const { type = 'notification', state = '' } = branch?.parts[part] ?? {}
  const details = [
    generation === undefined ? undefined : 'as a callback',
    wire === undefined ? undefined : wire,
    callBack === undefined ? undefined : `the service ${CALL_BACKS[callBack]}`,
    restart === undefined ? undefined : 'then the process is killed and started',
  ].filter((each) => each !== undefined)
  const more = details.length === 0 ? '' : ` (${details.join('; ')})`
  return `${together ? 'Together with it' : 'Send'}: ${type} ${state} of payment ${of + 1}${more}`
}
