import { AMOUNT_CLASSES, AMOUNTS, pick } from '../explore/values.ts'
import type { LoadMessage } from './books.ts'
import { createLoadSeeds, type LoadSeeds } from './load-seeds.ts'
import { createObjectNotifications } from './object-notifications.ts'
import { createPeople, type People } from './people.ts'
import type { Pace, PlannedNotification } from './plan.ts'
import type { LoadContent } from './shares.ts'
import type { Shared } from '../run/create-check-context.ts'
import { playPayment, type ServiceObjectsPorts } from '../run/payment-play.ts'
import { readBooking } from '../toolkit/booked-effect.ts'
import type { Play } from '../toolkit/check-context.ts'
import { ownMessages, reachMessages } from '../toolkit/scenario.ts'

type NotificationMakerPorts = Pick<Shared, 'service'> &
  Pick<LoadContent, 'generation' | 'urls'> &
  Pick<Pace, 'apart'> & { readonly options: Pick<Shared['options'], 'consequences' | 'seed'> }

/** Makes a planned notification and advances the service for it. */
export type MakeNotification = (planned: PlannedNotification) => Promise<LoadMessage>

export function notificationMaker(ports: NotificationMakerPorts): MakeNotification {
  const { service, options, urls, generation, apart } = ports
  const { consequences } = options
  const seeds = createLoadSeeds(options.seed)
  const people = createPeople({ service, seeds: seeds.people })
  const ofPayments = createPaymentNotifications({ service, urls, consequences, seeds, people })
  const ofObjects = createObjectNotifications({
    service,
    seeds: seeds.objects,
    people,
    consequences,
    generation,
    apart,
  })
  return (planned) => (planned.kind === 'payment' ? ofPayments(planned) : ofObjects(planned.type))
}

type PlannedPart = Extract<PlannedNotification, { readonly kind: 'payment' }>

type PaymentNotificationsPorts = Pick<ServiceObjectsPorts, 'service' | 'urls' | 'consequences'> & {
  readonly seeds: Pick<LoadSeeds, 'payment'>
  readonly people: People
}

/** Plays each payment to its next notification. */
export function createPaymentNotifications(
  ports: PaymentNotificationsPorts,
): (planned: PlannedPart) => Promise<LoadMessage> {
  /** The payments in progress, each after its last requested step. */
  const plays = new Map<number, Promise<Play>>()

  async function begin({ payment, branch: { kind, outcome } }: PlannedPart): Promise<Play> {
    const seeds = ports.seeds.payment(payment)
    const parties = await ports.people.partiesOf(kind)
    const amount = pick(AMOUNTS[pick(AMOUNT_CLASSES, seeds.random)], seeds.random)
    const wish = { kind, outcome, amount, ...parties }
    return playPayment(wish, { ...ports, seeds, log: NO_LOG, onMade: () => {} }, () => {})
  }

  return async (planned) => {
    const { payment, branch, part } = planned
    const before = plays.get(payment) ?? begin(planned)
    const reached = before.then(async (play) => {
      await reachMessages(branch, play, part)
      return play
    })
    if (part === branch.parts.length - 1) plays.delete(payment)
    else plays.set(payment, reached)
    const message = ownMessages(branch, await reached)[part]
    if (!message) throw new RangeError(`Cannot notify of ${branch.kind}: it has no notification ${part + 1}`)
    const { type, id, body } = message
    return { type, id, body, booking: part === branch.deciding ? readBooking(message) : undefined }
  }
}

/** A load counts events instead of logging them. */
const NO_LOG = { events: [], now: () => 0, add: () => {} }
