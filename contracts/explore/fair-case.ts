import { paysFromWallet } from './people.ts'
import type { Branch, Part } from '../toolkit/branches.ts'
import { isMiss, type DeliveryPlan, type ExploredCase } from '../explored-case.ts'

/** Returns true if the service can play the plan, and the plan sends every notification that the verdict depends on. */
export function isFair(plan: ExploredCase, branches: readonly Branch[]): boolean {
  return isFunded(plan) && isWhole(plan, branches) && isAskedAgain(plan, branches)
}

/** Returns true if all payments of an item have the same payer. Only the wallet of this payer is funded for each payment. */
function isFunded({ payments }: ExploredCase): boolean {
  return payments.every(
    ({ kind, item, person }) =>
      item === undefined ||
      !paysFromWallet(kind) ||
      (person !== undefined && payments[item]?.person === person),
  )
}

function isWhole({ payments, deliveries }: ExploredCase, branches: readonly Branch[]): boolean {
  return payments.every((payment, of) => {
    const branch = branchOf(payment, branches)
    if (!branch) return false
    const { parts, deciding } = branch
    const sent = new Set(deliveries.filter((each) => each.of === of).map(({ part }) => part))
    const lastStep = Math.max(-1, ...[...sent].map((place) => parts[place]?.step ?? -1))
    const isMade = (part: Part | undefined) => part !== undefined && part.step <= lastStep
    const type = parts[deciding ?? parts.length - 1]?.type
    const last = parts.findLastIndex((part) => isMade(part) && part.type === type)
    return (
      sent.size > 0 &&
      (last < 0 || sent.has(last)) &&
      (deciding === undefined || !isMade(parts[deciding]) || sent.has(deciding))
    )
  })
}

/** Returns true if the plan notifies the receiver again about each object for which the service answers 404. */
export function isAskedAgain(
  { payments, deliveries }: Pick<ExploredCase, 'payments' | 'deliveries'>,
  branches: readonly Branch[],
): boolean {
  const typeOf = ({ of, part }: DeliveryPlan) => branchOf(payments[of], branches)?.parts[part]?.type
  return deliveries.every(
    (missed, place) =>
      !isMiss(missed.callBack) ||
      deliveries
        .slice(place + 1)
        .some(
          (each) =>
            each.of === missed.of &&
            each.part >= missed.part &&
            typeOf(each) === typeOf(missed) &&
            !each.together &&
            !each.wire,
        ),
  )
}

export function branchOf(
  payment: ExploredCase['payments'][number] | undefined,
  branches: readonly Branch[],
): Branch | undefined {
  return branches.find(({ kind, outcome }) => kind === payment?.kind && outcome === payment.outcome)
}
