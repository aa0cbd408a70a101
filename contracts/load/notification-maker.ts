import type { Shared } from '../run/create-check-context.ts'
import type { LoadMessage } from './load-message.ts'
import { createLoadSeeds } from './load-seeds.ts'
import { createObjectNotifications } from './object-notifications.ts'
import type { Pace } from './pace.ts'
import { createPaymentNotifications } from './payment-notifications.ts'
import { createPeople } from './people.ts'
import type { PlannedNotification } from './plan.ts'
import type { LoadContent } from './shares.ts'

export type NotificationMakerPorts = Pick<Shared, 'service'> &
  Pick<LoadContent, 'generation' | 'urls'> &
  Pick<Pace, 'apart'> & { readonly options: Pick<Shared['options'], 'consequences' | 'seed'> }

/** Makes a notification that is planned, by which the service moves on. */
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
