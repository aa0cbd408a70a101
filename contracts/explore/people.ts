import { ID_FAMILIES, pick, PLAIN_AMOUNT } from './values.ts'
import type { PaymentPlan, PersonPlan, UserPlan } from '../explored-case.ts'
import type { Branch } from '../toolkit/branches.ts'
import type { CheckContext } from '../toolkit/check-context.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import { numberNotifications, paymentParticipants, type PaymentKind } from '../../spec/payments.ts'

/** Returns new digits for use in an id. The digits are unique among thousands of cases. */
export function freshDigits({ service }: Pick<CheckContext, 'service'>): string {
  return String(Number.parseInt(service.newId().slice(-12), 16))
}

export function createPeople(context: CheckContext, plans: readonly PersonPlan[]) {
  const number = freshDigits(context)
  const users = new Map<number, Promise<string>>()

  async function make({ id, name }: PersonPlan): Promise<string> {
    const [first = '', ...rest] = (name ?? '').split(' ')
    const names = { first_name: first, last_name: rest.join(' ') }
    const user = await context.service.create('users', {
      ...(id !== undefined && { id: id.replaceAll('{n}', number) }),
      ...(name !== undefined && { ...names, full_name: name }),
    })
    return user.id
  }

  return {
    /** Returns the user for a payment. Creates the user and adds money if needed. */
    async userFor({ person = -1, kind, amount = PLAIN_AMOUNT, fee = 0, currency }: PaymentPlan) {
      const plan = plans[person]
      if (!plan) return undefined
      const user = await (users.get(person) ?? make(plan))
      users.set(person, Promise.resolve(user))
      if (paysFromWallet(kind)) {
        const money = { amount: amount + fee, ...(currency !== undefined && { currency }) }
        await (await context.service.play('direct-credit-payin', undefined, { user, ...money })).finish()
      }
      return user
    },
  }
}

export function paysFromWallet(kind: PaymentKind): boolean {
  return paymentParticipants(kind).some(([, { pays }]) => pays === true)
}

export async function asksAboutUsers(context: CheckContext): Promise<boolean> {
  const { calls, receiver, service } = context
  if (!calls.observable || !receiver.types().includes('users')) return false
  const message = await service.create('users')
  await context.send(message)
  return (await calls.settle(message)).length > 0
}

const SHARE = 0.3

/** Draws one or two users for some cases. The receiver is notified of each user before a delivery or after the last delivery. */
export function drawUsers(deliveries: number, random: () => number): readonly UserPlan[] {
  if (random() > SHARE) return []
  return Array.from({ length: 1 + Math.floor(random() * 2) }, () => ({
    id: pick(pick(ID_FAMILIES, random), random),
    before: Math.floor(random() * (deliveries + 1)),
  }))
}

/** Returns the object types that share one id with the object on which the platform acts. Reading: payout-disbursements */
export function typesUnderOneId(
  { kind, outcome }: Pick<PaymentPlan, 'kind' | 'outcome'>,
  type: NotifiedType,
): readonly NotifiedType[] {
  const hasDisbursement = numberNotifications(kind, outcome).some(
    ({ notification }) => notification.disbursement !== undefined,
  )
  return hasDisbursement ? [type, 'disbursements'] : [type]
}

/** Returns true if the payments have no object type in common. Only objects of different types can share an id. */
export function canShareId(one: Branch, other: Branch): boolean {
  return !typesOf(one).some((type) => typesOf(other).includes(type))
}

/**
 * Returns true if a case can change the object's id or times. False for items, which are looked up by payment, and virtual
 * accounts, whose notification has few fields.
 */
export function canBeCrafted(branch: Branch): boolean {
  return !['items', 'virtual_accounts', undefined].includes(actedOnType(branch))
}

function typesOf(branch: Branch): readonly NotifiedType[] {
  const type = actedOnType(branch)
  return type === undefined ? [] : typesUnderOneId(branch, type)
}

const actedOnType = ({ parts, deciding }: Branch) => (parts[deciding ?? parts.length - 1] ?? parts[0])?.type
