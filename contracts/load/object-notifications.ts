import type { LoadMessage } from './books.ts'
import type { People } from './people.ts'
import { asObjectOf, messageFor } from '../run/messages.ts'
import type { Seeds } from '../run/seeds.ts'
import type { Service } from '../run/service.ts'
import { readBooking } from '../toolkit/booked-effect.ts'
import { isConsequence, unusedKinds } from '../toolkit/consequences.ts'
import type { Consequences } from '../toolkit/options.ts'
import { findNotifiedGenerations, nextStates } from '../../sandbox/internal.ts'
import type { Generation } from '../../spec/delivery.ts'
import { objectState } from '../../spec/models.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

export interface ObjectNotificationsPorts {
  readonly service: Pick<Service, 'perform' | 'readings' | 'translator'>
  readonly seeds: Seeds
  readonly people: People
  readonly consequences: Consequences
  readonly generation: Generation
  /** The minimum number of notifications between two notifications of the same object. */
  readonly apart: number
}

export type NextNotification = (type: NotifiedType) => Promise<LoadMessage>

interface LivingObject {
  readonly id: string
  readonly object: object
}

/** Orders of states that the document does not show. Reading: unshown-transitions */
const UNSHOWN: { readonly [Type in NotifiedType]?: readonly string[] } = {
  items: ['pending', 'payment_deposited', 'completed'],
  users: ['pending', 'approved'],
}

export function createObjectNotifications(ports: ObjectNotificationsPorts): NextNotification {
  const { service, seeds, people, consequences, generation, apart } = ports
  const { perform } = service
  const profile = { consequences, unused: unusedKinds(consequences) }
  const livingByType = new Map<NotifiedType, LivingObject[]>()

  async function move(type: NotifiedType, { id }: LivingObject, to: string): Promise<LivingObject> {
    const { object } = await perform('moveObject', { path: { type, id }, body: { to } })
    return { id, object }
  }

  async function create(type: NotifiedType): Promise<LivingObject> {
    const [seed, fields] = [seeds.next(), await people.fieldsOf(type)]
    const made = await perform('createObject', { path: { type }, query: { seed }, body: { ...fields } })
    let before: LivingObject | undefined
    let living: LivingObject = made
    for (;;) {
      const to = nextState(type, living.object)
      if (to === undefined || isNotified(type, before, living)) return living
      before = living
      living = await move(type, living, to)
    }
  }

  function isNotified(type: NotifiedType, before: LivingObject | undefined, after: LivingObject): boolean {
    const change = {
      before: before && asObjectOf(type, before.object),
      after: asObjectOf(type, after.object),
    }
    return findNotifiedGenerations(type, change, service.readings).includes(generation)
  }

  return async (type) => {
    const living = livingByType.get(type) ?? []
    livingByType.set(type, living)
    const oldest = living.length >= apart ? living.shift() : undefined
    const to = oldest && nextState(type, oldest.object)
    const current = oldest && to !== undefined ? await move(type, oldest, to) : await create(type)
    if (nextState(type, current.object) !== undefined) living.push(current)
    const message = messageFor(type, current.object, service.translator)
    const fields = { ...current.object, state: message.state }
    const booking = isConsequence(profile, type, fields) ? readBooking(message) : undefined
    return { type, id: message.id, body: message.body, booking }
  }
}

function nextState(type: NotifiedType, object: object): string | undefined {
  const present = asObjectOf(type, object)
  const shown = nextStates(type, present)
  if (shown) return shown[0]
  const unshown = UNSHOWN[type] ?? []
  const place = unshown.indexOf(objectState(type, present) ?? '')
  return place === -1 ? undefined : unshown[place + 1]
}
