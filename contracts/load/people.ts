import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import { paymentParticipants, paysItem, type PaymentKind } from '../../spec/payments.ts'
import { partyFields } from '../../sandbox/internal.ts'
import { asObjectOf } from '../run/messages.ts'
import type { Seeds } from '../run/seeds.ts'
import type { Service } from '../run/service.ts'

export interface PeoplePorts {
  readonly service: Pick<Service, 'perform'>
  readonly seeds: Seeds
}

/**
 * The users that everything is about: a platform has them before, and they pay more than once. Made anew for each item and payment
 * they would take more than all else.
 */
export interface People {
  /** What an object of the type is made with. */
  fieldsOf(type: NotifiedType): Promise<object>
  /** What a payment of the kind is played with; who pays out of a wallet has one that nobody else has emptied. */
  partiesOf(kind: PaymentKind): Promise<PaymentParties>
}

export interface PaymentParties {
  /** Whom it is for. */
  readonly user?: string
  /** Of the item that is paid. */
  readonly itemFields?: object
}

type User = ObjectByType['users']

/** So many are there, and take turns. */
const CROWD = 64

export function createPeople({ service: { perform }, seeds }: PeoplePorts): People {
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
    fieldsOf: async (type) => (type === 'items' ? itemFields() : {}),
    async partiesOf(kind) {
      if (needsOwnPeople(kind)) return {}
      if (paysItem(kind)) return { itemFields: await itemFields() }
      return { user: (await next()).id }
    },
  }
}

/** A wallet that pays must hold the amount, and a user has one virtual account that is activated once. */
function needsOwnPeople(kind: PaymentKind): boolean {
  return paymentParticipants(kind).some(([role, { pays = false }]) => pays || role === 'virtual_account')
}
