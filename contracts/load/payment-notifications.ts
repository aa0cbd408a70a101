import { AMOUNT_CLASSES, AMOUNTS, pick } from '../explore/values.ts'
import { playPayment, type ServiceObjectsPorts } from '../run/payment-play.ts'
import type { Play } from '../toolkit/check-context.ts'
import { readBooking } from '../toolkit/booked-effect.ts'
import { ownMessages, reachMessages } from '../toolkit/scenario.ts'
import type { LoadMessage } from './load-message.ts'
import type { LoadSeeds } from './load-seeds.ts'
import type { People } from './people.ts'
import type { PlannedNotification } from './plan.ts'

type PlannedPart = Extract<PlannedNotification, { readonly kind: 'payment' }>

export type PaymentNotificationsPorts = Pick<ServiceObjectsPorts, 'service' | 'urls' | 'consequences'> & {
  readonly seeds: Pick<LoadSeeds, 'payment'>
  readonly people: People
}

/** Plays the payments as far as their next notification, and gives that. */
export function createPaymentNotifications(
  ports: PaymentNotificationsPorts,
): (planned: PlannedPart) => Promise<LoadMessage> {
  /** The payments under way, each as far as what was asked of it before has come. */
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

/** What happens is counted, and not told. */
const NO_LOG = { events: [], now: () => 0, add: () => {} }
