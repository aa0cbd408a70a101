import type { NotifiedType } from '../../spec/notifications.ts'
import { numberNotifications } from '../../spec/payments.ts'
import type { PaymentPlan } from '../explored-case.ts'
import type { Branch } from '../toolkit/branches.ts'

/**
 * The types of which a payment has an object under the id of its object of this type, which is acted on. No other payment may have
 * one of these under that id. Reading: payout-disbursements
 */
export function typesUnderOneId(
  { kind, outcome }: Pick<PaymentPlan, 'kind' | 'outcome'>,
  type: NotifiedType,
): readonly NotifiedType[] {
  const hasDisbursement = numberNotifications(kind, outcome).some(
    ({ notification }) => notification.disbursement !== undefined,
  )
  return hasDisbursement ? [type, 'disbursements'] : [type]
}

/** True if the objects that are acted on can have one id, for they are of different types. */
export function canShareId(one: Branch, other: Branch): boolean {
  return !typesOf(one).some((type) => typesOf(other).includes(type))
}

/** Items are found by the payment, and virtual accounts have another body than their notification. */
export function canBeCrafted(branch: Branch): boolean {
  return !['items', 'virtual_accounts', undefined].includes(actedOnType(branch))
}

function typesOf(branch: Branch): readonly NotifiedType[] {
  const type = actedOnType(branch)
  return type === undefined ? [] : typesUnderOneId(branch, type)
}

const actedOnType = ({ parts, deciding }: Branch) => (parts[deciding ?? parts.length - 1] ?? parts[0])?.type
