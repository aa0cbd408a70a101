import type { Payment } from '../../spec/generated/control-types.ts'
import { isNotifiedType, type NotifiedType, type ObjectByType } from '../../spec/notifications.ts'
import {
  isNotified,
  notificationRole,
  paymentConsequence,
  paymentSteps,
  type PaymentKind,
} from '../../spec/payments.ts'
import type { Message, Play, ServiceObjects, ServiceObject } from '../toolkit/check-context.ts'
import type { Consequences } from '../toolkit/options.ts'
import type { Service } from './service.ts'
import { messageFor, notifiedId } from './messages.ts'
import type { ExchangeLog } from './exchange-log.ts'
import type { Seeds } from './seeds.ts'
import type { ObjectRef } from '../finding.ts'

export interface ServiceObjectsPorts {
  readonly service: Service
  readonly seeds: Seeds
  readonly log: ExchangeLog
  readonly consequences: Consequences
  /** Told of every object that the service has because of this check, and of its other id if it is notified by another. */
  readonly onMade: (target: ObjectRef, alias?: string) => void
}

/** The service's objects as one check uses them; `close` ends the disturbances that are left. */
export function createServiceObjects(
  ports: ServiceObjectsPorts,
): ServiceObjects & { close(): Promise<void> } {
  const { service, seeds, log, onMade } = ports
  const { perform } = service
  const disturbances = createDisturbances(ports)

  function known<Type extends NotifiedType>(type: Type, id: string, object: object): ServiceObject<Type> {
    onMade({ type, id }, notifiedId(object))
    return { type, id: notifiedId(object), body: asObjectOf(type, object) }
  }

  return {
    newId: () => seeds.newId(),
    async create(type, fields = {}) {
      const body = { ...fields }
      const made = await perform('createObject', { path: { type }, query: { seed: seeds.next() }, body })
      const object = known(type, made.id, made.object)
      const about = [object, { type, id: made.id }]
      log.add({ kind: 'world', text: `The service has ${type} ${made.id}`, about })
      return object
    },
    async show({ type, id }) {
      const { object } = await perform('getObject', { path: { type, id } })
      return known(type, id, object)
    },
    async change({ type, id }, fields) {
      const changed = await perform('changeObject', { path: { type, id }, query: {}, body: { ...fields } })
      log.add({
        kind: 'world',
        text: `The service changed ${type} ${id}: ${JSON.stringify(fields)}`,
        about: [{ type, id }],
      })
      return known(type, id, changed.object)
    },
    async advance(ms) {
      const { now } = await perform('advanceClock', { body: { by: `${ms}ms` } })
      log.add({ kind: 'world', text: `The service's clock was moved to ${now}`, about: [] })
      return now
    },
    play: (kind, outcome, { amount } = {}) => play({ kind, outcome, amount }, ports),
    disturb: disturbances.disturb,
    close: disturbances.close,
  }
}

/** What makes the service misbehave, until it is stopped or everything is closed. */
function createDisturbances({ service: { perform }, log }: ServiceObjectsPorts) {
  const active = new Set<() => Promise<void>>()
  const disturb: ServiceObjects['disturb'] = async ({ match, ...fault }) => {
    const { object_type: type, object_id: objectId } = match
    const about = type === undefined || objectId === undefined ? [] : [{ type, id: objectId }]
    const { id } = await perform('addFault', { body: { on: 'api', match, ...fault } })
    const target = JSON.stringify(match)
    log.add({ kind: 'world', text: `The service misbehaves: ${fault.kind} for ${target}`, about })
    const stop = async () => {
      if (!active.delete(stop)) return
      await perform('removeFault', { path: { id } })
      log.add({ kind: 'world', text: `The service misbehaves no longer: ${fault.kind}`, about })
    }
    active.add(stop)
    return { stop }
  }
  return {
    disturb,
    async close() {
      for (const stop of Array.from(active)) await stop()
    },
  }
}

interface Wish {
  readonly kind: PaymentKind
  readonly outcome: string | undefined
  readonly amount: number | undefined
}

/** A message, and what its object is to the payment. */
interface PaymentMessage {
  readonly message: Message
  readonly role: string
}

async function play({ kind, outcome, amount }: Wish, ports: ServiceObjectsPorts): Promise<Play> {
  const { service, seeds, log, consequences } = ports
  const { perform } = service
  const messages: PaymentMessage[] = []
  const chosen = consequences[kind]
  const acted = notificationRole(
    chosen ? { ...chosen, object: chosen.object_type } : paymentConsequence(kind),
  )
  const body = {
    kind,
    pace: 'stepwise',
    ...(outcome !== undefined && { outcome }),
    ...(amount !== undefined && { amount }),
  }
  let payment = await perform('playPayment', { path: {}, query: { seed: seeds.next() }, body })
  if (payment.step > 0) await take(payment)

  async function take(stepped: Payment): Promise<readonly Message[]> {
    payment = stepped
    const fresh = await stepMessages(kind, stepped, ports)
    messages.push(...fresh)
    const labels = fresh.map(({ message }) => message.label).join(', ')
    const about = fresh.map(({ message: { type, id } }) => ({ type, id }))
    log.add({ kind: 'world', text: `${kind}, step ${stepped.step} of ${stepped.steps}: ${labels}`, about })
    return fresh.map(({ message }) => message)
  }

  async function next(): Promise<readonly Message[]> {
    if (payment.step === payment.steps) return []
    const { id } = payment
    const query = { seed: seeds.next() }
    return take(await perform('takePaymentStep', { path: { id }, query, body: undefined }))
  }

  return {
    get payment() {
      return payment
    },
    get consequence() {
      const message = messages.find(({ role }) => role === acted)?.message
      return message && { type: message.type, id: message.id }
    },
    get messages() {
      return messages.map(({ message }) => message)
    },
    next,
    async finish() {
      const rest: Message[] = []
      while (payment.step < payment.steps) rest.push(...(await next()))
      return rest
    },
  }
}

/** What the last step of a payment is to be notified of, in the document's order. Source: §6.2 */
async function stepMessages(
  kind: PaymentKind,
  payment: Payment,
  { service, onMade }: ServiceObjectsPorts,
): Promise<PaymentMessage[]> {
  const messages: PaymentMessage[] = []
  for (const notification of paymentSteps(kind, payment.outcome)[payment.step - 1] ?? []) {
    const role = notificationRole(notification)
    // A participant that the payment notifies has the name that it has as a participant.
    const made =
      payment.objects.find((object) => object.role === role) ??
      payment.objects.find(({ object_type }) => object_type === role)
    if (!isNotified(notification, service.readings) || !made || !isNotifiedType(made.object_type)) continue
    const { id, object_type: type } = made
    const { object } = await service.perform('getObject', { path: { type, id } })
    const message = messageFor(type, asObjectOf(type, object), service.translator)
    onMade({ type, id }, message.id)
    messages.push({ message, role })
  }
  return messages
}

/** The control API shows an object of the type that it was asked for: its replies are checked against the spec. */
function asObjectOf<Type extends NotifiedType>(_: Type, object: object): ObjectByType[Type] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return object as ObjectByType[Type]
}
