import type { UserPlan } from '../explored-case.ts'
import type { CheckContext } from '../toolkit/check-context.ts'
import { ID_FAMILIES, pick } from './values.ts'

/** True if the receiver asks the service about a user that it is notified of. */
export async function asksAboutUsers(context: CheckContext): Promise<boolean> {
  const { calls, receiver, service } = context
  if (!calls.observable || !receiver.types().includes('users')) return false
  const message = context.messageFor(await service.create('users'))
  await context.send(message)
  return (await calls.settle(message)).length > 0
}

/** How many cases notify of users. */
const SHARE = 0.3

/** For some cases one or two, each before a delivery or after the last. */
export function drawUsers(deliveries: number, random: () => number): readonly UserPlan[] {
  if (random() > SHARE) return []
  return Array.from({ length: 1 + Math.floor(random() * 2) }, () => ({
    id: pick(pick(ID_FAMILIES, random), random),
    before: Math.floor(random() * (deliveries + 1)),
  }))
}
