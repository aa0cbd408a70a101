import type { Payment } from '../../spec/generated/control-types.ts'
import { isNotifiedType, type NotifiedType, type ObjectByType } from '../../spec/notifications.ts'
import {
  isNotified,
  notificationRole,
  paymentConsequence,
  paymentSteps,
  type PaymentKind,
} from '../../spec/payments.ts'
import type { EffectTarget, Notice, Play, World, WorldObject } from '../toolkit/check-context.ts'
import type { Consequences } from '../toolkit/options.ts'
import type { Service } from './service.ts'
import { noticeOf, notifiedId } from './notices.ts'
import type { Record } from './record.ts'
import type { Seeds } from './seeds.ts'

export interface WorldPorts {
  readonly service: Service
  readonly seeds: Seeds
  readonly record: Record
  readonly consequences: Consequences
  /** Told of every object that the service has because of this check, and of its other id if it is notified by another. */
  readonly onMade: (target: EffectTarget, alias?: string) => void
}

/** A world of which the check's own objects are a part; `close` ends what it was disturbed with. */
export function createWorld(ports: WorldPorts): World & { close(): Promise<void> } {
  const { service, seeds, record, onMade } = ports
  const { perform } = service
  const disturbances = new Set<() => Promise<void>>()

  function known<Type extends NotifiedType>(type: Type, id: string, object: object): WorldObject<Type> {
    onMade({ type, id }, notifiedId(object))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the bench shows an object of the type that it was asked for
    return { type, id: notifiedId(object), body: object as ObjectByType[Type] }
  }

  return {
    newId: () => seeds.newId(),
    async create(type, fields = {}) {
      const body = { ...fields }
      const made = await perform('createObject', { path: { type }, query: { seed: seeds.next() }, body })
      record.add({ kind: 'world', text: `The service has ${type} ${made.id}` })
      return known(type, made.id, made.object)
    },
    async show({ type, id }) {
      const { object } = await perform('getObject', { path: { type, id }, query: {}, body: undefined })
      return known(type, id, object)
    },
    async change({ type, id }, fields) {
      const changed = await perform('changeObject', { path: { type, id }, query: {}, body: { ...fields } })
      record.add({ kind: 'world', text: `The service changed ${type} ${id}: ${JSON.stringify(fields)}` })
      return known(type, id, changed.object)
    },
    play: (kind, outcome, { amount } = {}) => play({ kind, outcome, amount }, ports),
    async disturb({ match, ...fault }) {
      const body = { on: 'api', match, ...fault } as const
      const { id } = await perform('addFault', { path: {}, query: {}, body })
      record.add({
        kind: 'world',
        text: `The service misbehaves: ${fault.kind} for ${JSON.stringify(match)}`,
      })
      const stop = async () => {
        if (!disturbances.delete(stop)) return
        await perform('removeFault', { path: { id }, query: {}, body: undefined })
        record.add({ kind: 'world', text: `The service misbehaves no longer: ${fault.kind}` })
      }
      disturbances.add(stop)
      return { stop }
    },
    async close() {
      for (const stop of Array.from(disturbances)) await stop()
    },
  }
}

interface Wish {
  readonly kind: PaymentKind
  readonly outcome: string | undefined
  readonly amount: number | undefined
}

/** A notice, and what its object is to the payment. */
interface Told {
  readonly notice: Notice
  readonly role: string
}

async function play({ kind, outcome, amount }: Wish, ports: WorldPorts): Promise<Play> {
  const { service, seeds, record, consequences } = ports
  const { perform } = service
  const told: Told[] = []
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

  async function take(stepped: Payment): Promise<readonly Notice[]> {
    payment = stepped
    const fresh = await toldOf(kind, stepped, ports)
    told.push(...fresh)
    const labels = fresh.map(({ notice }) => notice.label).join(', ')
    record.add({ kind: 'world', text: `${kind}, step ${stepped.step} of ${stepped.steps}: ${labels}` })
    return fresh.map(({ notice }) => notice)
  }

  async function next(): Promise<readonly Notice[]> {
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
      const notice = told.find(({ role }) => role === acted)?.notice
      return notice && { type: notice.type, id: notice.id }
    },
    get notices() {
      return told.map(({ notice }) => notice)
    },
    next,
    async finish() {
      const rest: Notice[] = []
      while (payment.step < payment.steps) rest.push(...(await next()))
      return rest
    },
  }
}

/** What the last step of a payment is to be notified of, in the document's order. Source: §6.2 */
async function toldOf(kind: PaymentKind, payment: Payment, { service, onMade }: WorldPorts): Promise<Told[]> {
  const told: Told[] = []
  for (const notification of paymentSteps(kind, payment.outcome)[payment.step - 1] ?? []) {
    const role = notificationRole(notification)
    // A participant that the payment notifies has the name that it has as a participant.
    const made =
      payment.objects.find((object) => object.role === role) ??
      payment.objects.find(({ object_type }) => object_type === role)
    if (!isNotified(notification, service.readings) || !made || !isNotifiedType(made.object_type)) continue
    const { id, object_type: type } = made
    const { object } = await service.perform('getObject', { path: { type, id }, query: {}, body: undefined })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the bench shows an object of the type that it was asked for
    const notice = noticeOf(type, object as unknown as ObjectByType[NotifiedType], service.translator)
    onMade({ type, id }, notice.id)
    told.push({ notice, role })
  }
  return told
}
