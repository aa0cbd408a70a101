import { formatMoney } from '../../spec/money.ts'
import type { Branch } from '../toolkit/branches.ts'
import {
  CALL_BACKS,
  type DeliveryPlan,
  type ExploredCase,
  type UserPlan,
  type PaymentPlan,
} from '../explored-case.ts'
import { branchOf } from './fair-case.ts'

const MAX_LINES = 10

export function listExchangeEvents(plan: ExploredCase, branches: readonly Branch[]): readonly string[] {
  const { payments, deliveries, users = [] } = plan
  const lines = [
    ...payments.map((payment, of) => describePayment(payment, of, plan)),
    ...deliveries.flatMap((delivery, place) => [
      ...users.filter(({ before }) => before === place).map(describeUser),
      describeDelivery(delivery, plan, branches),
    ]),
    ...users.filter(({ before }) => before >= deliveries.length).map(describeUser),
  ]
  if (lines.length <= MAX_LINES) return lines
  const shown = lines.slice(0, MAX_LINES - 1)
  return [...shown, `… and ${lines.length - shown.length} more`]
}

function describePayment(plan: PaymentPlan, of: number, { people }: ExploredCase): string {
  const { kind, outcome, amount, currency, fee, person, item, sameIdAs, capitals, laterMs, apartMs, via } =
    plan
  const { id, name } = people[person ?? -1] ?? {}
  const money = amount === undefined ? '' : ` of ${formatMoney(amount, currency)}`
  const party = person === undefined ? '' : ` by person ${person + 1}`
  const details = [
    id === undefined ? undefined : `user id "${id}"`,
    name === undefined ? undefined : `named ${name}`,
    via === undefined ? undefined : `via ${via}`,
    fee === undefined ? undefined : `and a fee of ${formatMoney(fee, currency)}`,
    item === undefined ? undefined : `paying the item of payment ${item + 1} again`,
    sameIdAs === undefined
      ? undefined
      : `its object has the same id as the object of payment ${sameIdAs + 1}`,
    capitals === undefined ? undefined : 'its id in upper case',
    laterMs === undefined ? undefined : `its times ${describeShift(laterMs)}`,
    apartMs === undefined ? undefined : `its changes ${describeSpan(apartMs)} apart`,
  ].filter((each) => each !== undefined)
  const more = details.length === 0 ? '' : ` (${details.join(', ')})`
  return `Payment ${of + 1}: ${kind}${money}${party}, ${outcome}${more}`
}

function describeSpan(ms: number): string {
  const seconds = ms / 1_000
  return seconds < 7_200 ? `${seconds} s` : `${Math.round(seconds / 86_400)} days`
}

function describeShift(laterMs: number): string {
  const span = describeSpan(Math.abs(laterMs))
  return laterMs < 0 ? `${span} in the past` : `${span} in the future`
}

const describeUser = ({ id }: UserPlan) => `Send: users "${id}"`

function describeDelivery(
  { of, part, generation, together, wire, callBack, restart }: DeliveryPlan,
  { payments }: ExploredCase,
  branches: readonly Branch[],
): string {
  const { type = 'notification', state = '' } = branchOf(payments[of], branches)?.parts[part] ?? {}
  const details = [
    generation === undefined ? undefined : 'as a callback',
    wire === undefined ? undefined : wire,
    callBack === undefined ? undefined : `the service ${CALL_BACKS[callBack]}`,
    restart === undefined ? undefined : 'then the receiver process is killed and started',
  ].filter((each) => each !== undefined)
  const more = details.length === 0 ? '' : ` (${details.join('; ')})`
  return `${together ? 'Together with it' : 'Send'}: ${type} ${state} of payment ${of + 1}${more}`
}
