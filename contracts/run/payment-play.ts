import type { ObjectRef } from '../finding.ts'
import { messageFor } from './messages.ts'
import type { ExchangeLog } from './run-result.ts'
import type { Seeds } from './seeds.ts'
import type { Service } from './service.ts'
import type { Message, Play, PaymentOptions, ReceiverUrls } from '../toolkit/check-context.ts'
import { consequenceOf, isAboutConsequence } from '../toolkit/consequences.ts'
import type { Consequences } from '../toolkit/options.ts'
import { withoutUndefined } from '../../sandbox/internal.ts'
import type { Payment } from '../../spec/generated/control-types.ts'
import { isNotifiedType } from '../../spec/notifications.ts'
import {
  isNotified,
  notificationRole,
  paymentOutcomes,
  paysItem,
  stepsWithItem,
  type PaymentKind,
  type PaymentNotification,
} from '../../spec/payments.ts'

export interface ServiceObjectsPorts {
  readonly service: Service
  readonly urls: ReceiverUrls
  readonly seeds: Seeds
  readonly log: ExchangeLog
  readonly consequences: Consequences
  /** Called for every object that the check creates. `alias` is the alternative id of the object, if any. */
  readonly onMade: (target: ObjectRef, alias?: string) => void
}

interface PaymentWish extends PaymentOptions {
  readonly kind: PaymentKind
  readonly outcome: string | undefined
}

export interface BegunPayment {
  readonly kind: PaymentKind
  /** Returns the object on which the platform acts. Returns undefined until the object has reached the state with the effect. */
  readonly reached: () => ObjectRef | undefined
}

interface PaymentMessage {
  readonly message: Message
  readonly notification: PaymentNotification
}

/** Creates a payment and its item. The payment starts only when `next` takes the first step. */
export async function createPlay(
  wish: PaymentWish,
  ports: ServiceObjectsPorts,
  onBegin: (begun: BegunPayment) => void,
): Promise<Play> {
  const { kind } = wish
  const consequence = consequenceOf(kind, ports.consequences)
  const item = await findItem(wish, ports)
  const messages: PaymentMessage[] = item ? [item] : []
  const steps = createSteps(wish, item?.message.id, ports)
  const findObject = (isMeant: (notification: PaymentNotification) => boolean): ObjectRef | undefined => {
    const found = messages.find(({ notification }) => isMeant(notification))?.message
    return found && { type: found.type, id: found.id }
  }
  const isActedOn = (notification: PaymentNotification) => isAboutConsequence(notification, consequence)

  async function next(): Promise<readonly Message[]> {
    const fresh = await steps.take()
    messages.push(...fresh)
    return fresh.map(({ message }) => message)
  }

  const reached = () => findObject((each) => each.state === consequence.state && isActedOn(each))
  onBegin({ kind, reached })
  return {
    get isOver() {
      return steps.isOver()
    },
    get consequence() {
      return findObject(isActedOn)
    },
    get messages() {
      return messages.map(({ message }) => message)
    },
    next,
    async finish() {
      const rest: Message[] = []
      while (!steps.isOver()) rest.push(...(await next()))
      return rest
    },
  }
}

function createSteps(
  { kind, outcome = paymentOutcomes(kind)[0], amount, currency, via, user }: PaymentWish,
  item: string | undefined,
  ports: ServiceObjectsPorts,
) {
  const { service, seeds, log } = ports
  const { perform } = service
  const body = {
    kind,
    pace: 'stepwise',
    ...(outcome !== undefined && { outcome }),
    ...(via !== undefined && { via }),
    ...(item === undefined ? withoutUndefined({ user, amount, currency }) : { item }),
  }
  let payment: Payment | undefined
  const isOver = () => payment !== undefined && payment.step === payment.steps

  async function takeStep(): Promise<Payment> {
    const begun = payment ?? (await perform('playPayment', { path: {}, query: { seed: seeds.next() }, body }))
    // At step 0, only prerequisites exist, such as a user. Therefore, this function also takes the first step.
    if (payment === undefined && begun.step > 0) return begun
    const query = { seed: seeds.next() }
    return perform('takePaymentStep', { path: { id: begun.id }, query, body: undefined })
  }

  return {
    isOver,
    async take(): Promise<readonly PaymentMessage[]> {
      if (isOver()) return []
      payment = await takeStep()
      const fresh = await stepMessages(kind, payment, ports)
      const labels = fresh.map(({ message }) => message.label).join(', ')
      const about = fresh.map(({ message: { type, id } }) => ({ type, id }))
      log.add({ kind: 'world', text: `${kind}, step ${payment.step} of ${payment.steps}: ${labels}`, about })
      return fresh
    },
  }
}

/** Returns undefined if this kind of payment does not pay an item. Source: §1, §2.2 */
async function findItem(
  { kind, amount, currency, user, item, itemFields }: PaymentWish,
  { service, seeds, log, onMade }: ServiceObjectsPorts,
): Promise<PaymentMessage | undefined> {
  const [[notification] = []] = stepsWithItem(kind, '')
  if (!paysItem(kind) || !notification) return undefined
  const type = 'items'
  const body = {
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
    ...(user !== undefined && { related: { buyers: user, sellers: seeds.newId() } }),
    ...itemFields,
  }
  const made =
    item === undefined
      ? await service.perform('createObject', { path: { type }, query: { seed: seeds.next() }, body })
      : await service.perform('getObject', { path: { type, id: item } })
  const message = messageFor(type, made.object, service.translator)
  const about = { type, id: made.id } as const
  onMade(about, message.id)
  log.add({ kind: 'world', text: `The service created items ${made.id} for ${kind}`, about: [about] })
  return { message, notification }
}

/** Returns the notifications of the latest step, in the order of the service's document. Source: §6.2 */
async function stepMessages(kind: PaymentKind, payment: Payment, { service, onMade }: ServiceObjectsPorts) {
  const messages: PaymentMessage[] = []
  // The creation of the item counts as the first step.
  const place = payment.step - (paysItem(kind) ? 0 : 1)
  for (const notification of stepsWithItem(kind, payment.outcome)[place] ?? []) {
    const role = notificationRole(notification)
    // Finds a notified user or account by its type, because the payment lists users and accounts by role.
    const made =
      payment.objects.find((object) => object.role === role) ??
      payment.objects.find(({ object_type }) => object_type === role)
    if (!isNotified(notification, service.readings) || !made || !isNotifiedType(made.object_type)) continue
    const { id, object_type: type } = made
    const { object } = await service.perform('getObject', { path: { type, id } })
    const message = messageFor(type, object, service.translator)
    onMade({ type, id }, message.id)
    messages.push({ message: { ...message, usualBody: message.body }, notification })
  }
  return messages
}
