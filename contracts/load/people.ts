import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import { paymentParticipants, paysItem, type PaymentKind } from '../../spec/payments.ts'
import { partyFields } from '../../sandbox/internal.ts'
import { asObjectOf } from '../run/messages.ts'
import type { Seeds } from '../run/seeds.ts'
import type { Service } from '../run/service.ts'

type User = ObjectByType['users']

const CROWD = 64

export function createLoadPeople({ perform }: Pick<Service, 'perform'>, seeds: Seeds) {
  const crowd: Promise<User>[] = []
  let turn = 0

  function next(): Promise<User> {
    const place = turn++ % CROWD
    return (crowd[place] ??= create())
  }

  async function create(): Promise<User> {
    const input = { path: { type: 'users' }, query: { seed: seeds.next() }, body: {} }
    const { object } = await perform('createObject', input)
    return asObjectOf('users', object)
  }

  async function itemFields(): Promise<object> {
    const [buyer, seller] = await Promise.all([next(), next()])
    return partyFields(buyer, seller)
  }

  return {
    fieldsOf: async (type: NotifiedType) => (type === 'items' ? itemFields() : {}),
    /** Returns the participants of a payment. Each payout gets a new wallet. */
    async partiesOf(kind: PaymentKind) {
      if (needsOwnPeople(kind)) return {}
      if (paysItem(kind)) return { itemFields: await itemFields() }
      return { user: (await next()).id }
    },
  }
}

/** The users of a load. Payments share them, because creating a user for each payment would take most of the time. */
export type People = ReturnType<typeof createLoadPeople>

/** Returns true if a payment needs its own user. A payment from a wallet needs money, and a user has only one virtual account. */
function needsOwnPeople(kind: PaymentKind): boolean {
  return paymentParticipants(kind).some(([role, { pays = false }]) => pays || role === 'virtual_account')
}
