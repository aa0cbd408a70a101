import { paymentParticipants } from '../../spec/payments.ts'
import type { CheckContext } from '../toolkit/check-context.ts'
import type { PaymentPlan, PersonPlan } from '../explored-case.ts'

/** The users of one case. */
export interface People {
  /** The id of the user of this payment, who is made and given money where the payment takes some. */
  userFor(payment: PaymentPlan): Promise<string | undefined>
}

/** In an exploration of thousands of cases, no other id of a user has these. */
export function freshDigits({ service }: Pick<CheckContext, 'service'>): string {
  return String(Number.parseInt(service.newId().slice(-12), 16))
}

export function createPeople(context: CheckContext, plans: readonly PersonPlan[]): People {
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
    async userFor({ person = -1, kind, amount, fee = 0, currency }) {
      const plan = plans[person]
      if (!plan) return undefined
      const user = await (users.get(person) ?? make(plan))
      users.set(person, Promise.resolve(user))
      const pays = paymentParticipants(kind).some(([, participant]) => participant.pays === true)
      if (pays) {
        const money = {
          ...(amount !== undefined && { amount: amount + fee }),
          ...(currency !== undefined && { currency }),
        }
        await (await context.service.play('direct-credit-payin', undefined, { user, ...money })).finish()
      }
      return user
    },
  }
}
