import { isDate } from 'node:util/types'
import { GENERATIONS } from '../../spec/delivery.ts'
import type { DeliveryRequest } from '../../spec/generated/control-types.ts'
import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import type { Assembled } from '../compose/assemble.ts'
import type { View } from '../engine/state/view.ts'
import { copyObject, idOf, refuseUnknownOptions } from './arguments.ts'
import type { DeliverOptions, Sandbox } from './sandbox.ts'

export interface ControlMethodsPorts extends Pick<Assembled, 'perform' | 'store'> {
  /** Waits until all work that a call causes is done, and resolves with the result of the call. */
  readonly settled: <Result>(call: Promise<Result>) => Promise<Result>
  readonly registerReceivers: () => Promise<void>
}

/** Creates the control methods, which validate inputs like the HTTP API. Each method resolves when its work is done. */
export function createControlMethods(ports: ControlMethodsPorts) {
  return {
    ...objectMethods(ports),
    ...paymentMethods(ports),
    ...clockMethods(ports),
    ...deliveryMethods(ports),
    ...stateMethods(ports),
  }
}

function objectMethods({ perform, store, settled }: ControlMethodsPorts) {
  async function storedObject<Type extends NotifiedType>(
    type: Type,
    performed: Promise<{ readonly id: string }>,
  ): Promise<ObjectByType[Type]> {
    const { id } = await settled(performed)
    const stored = store.object(type, id)
    if (!stored) throw new RangeError(`Cannot find ${type} "${id}"`)
    return stored.body
  }

  return {
    create: (type, fields = {}) =>
      storedObject(
        type,
        perform('createObject', { path: { type }, body: copyObject('call create()', 'fields', fields) }),
      ),
    change: (type, id, fields) =>
      storedObject(
        type,
        perform('changeObject', { path: { type, id }, body: copyObject('call change()', 'fields', fields) }),
      ),
    move: (type, id, state) =>
      storedObject(type, perform('moveObject', { path: { type, id }, body: { to: state } })),
  } satisfies Partial<Sandbox>
}

function paymentMethods({ perform, settled }: ControlMethodsPorts) {
  return {
    async play(kind, options = {}) {
      const request = { ...copyObject('call play()', 'options', options), kind }
      const { id } = await settled(perform('playPayment', { body: request }))
      return perform('getPayment', { path: { id } })
    },
    async next(payment) {
      const path = { id: idOf('call next()', 'payment', payment) }
      await settled(perform('takePaymentStep', { path }))
      return perform('getPayment', { path })
    },
    paymentKinds: async () => (await perform('listPaymentKinds')).kinds,
    setNextOutcome: (kind, outcome) => perform('setNextOutcome', { body: { kind, outcome } }),
    nextOutcomes: async () => (await perform('listNextOutcomes')).next_outcomes,
    clearNextOutcomes: async (kind) =>
      void (await perform('clearNextOutcomes', { query: kind === undefined ? {} : { kind } })),
  } satisfies Partial<Sandbox>
}

function clockMethods({ perform, settled }: ControlMethodsPorts) {
  return {
    async advance(by) {
      await settled(perform('advanceClock', { body: isDate(by) ? { to: instantText(by) } : { by } }))
    },
    setClock: (request) => settled(perform('setClock', { body: request })),
    async settle(options = {}) {
      refuseUnknownOptions('settle', options, ['timeoutMs'])
      const { timeoutMs = 10_000 } = options
      const reply = await settled(perform('settle', { body: { timeout_ms: timeoutMs } }))
      if (reply.settled) return
      const { waiting_for = [] } = reply
      const waiting = waiting_for.map(({ what, count }) => `${count} ${what}`).join(', ')
      throw new Error(`Cannot settle within ${timeoutMs} ms: still waiting for ${waiting}`)
    },
  } satisfies Partial<Sandbox>
}

/** Formats a date in ISO 8601. Returns the text of an invalid date, so that the error message can contain it. */
function instantText(date: Date): string {
  return Number.isNaN(date.getTime()) ? String(date) : date.toISOString()
}

function deliveryMethods({ perform, store, settled }: ControlMethodsPorts) {
  return {
    resend: async (job) => settled(perform('resendJob', { path: { id: idOf('call resend()', 'job', job) } })),
    deliver: async (request) => settled(perform('craftDelivery', { body: resolveReceiver(request, store) })),
    addFault: (request) => perform('addFault', { body: request }),
    removeFault: async (fault) =>
      void (await settled(
        perform('removeFault', { path: { id: idOf('call removeFault()', 'fault', fault) } }),
      )),
    clearFaults: async () => void (await settled(perform('clearFaults'))),
    faults: async () => (await perform('listFaults')).faults,
    faultKinds: async () => (await perform('listFaultKinds')).kinds,
    registrations: async () => (await perform('listRegistrations')).registrations,
    async requests(filter = {}) {
      refuseUnknownOptions('filter calls', filter, ['object_type', 'object_id', 'operation'])
      const query = { limit: Number.POSITIVE_INFINITY, ...filter }
      return (await perform('listRequests', { query })).requests
    },
  } satisfies Partial<Sandbox>
}

function resolveReceiver(options: DeliverOptions, view: View): DeliveryRequest {
  const { to, generation, ...request } = copyObject('call deliver()', 'request', options)
  if (to === undefined && generation === undefined) return request
  if (to === undefined) {
    throw new RangeError('Cannot deliver with option "generation" alone: name the object type in "to"')
  }
  const generations = generation === undefined ? GENERATIONS : [generation]
  const [found] = generations.flatMap((each) => view.enabledRegistration(each, to) ?? [])
  if (found) return { ...request, registration: found.id }
  const registered = GENERATIONS.flatMap((each) =>
    view
      .registrations(each)
      .flatMap(({ enabled, object_type }) => (enabled ? `${each} of ${object_type}` : [])),
  )
  const list = registered.length === 0 ? 'None is' : `The registered receivers are ${registered.join(', ')}`
  throw new RangeError(
    `Cannot deliver to ${generation ?? 'the receiver'} of "${to}": no such receiver is registered. ${list}`,
  )
}

function stateMethods({ perform, settled, registerReceivers }: ControlMethodsPorts) {
  return {
    setReadings: async (chosen) => void (await perform('setReadings', { body: chosen })),
    async reset() {
      await perform('resetSandbox')
      await settled(registerReceivers())
    },
    snapshot: () => perform('getSnapshot'),
    restore: async (snapshot) => void (await settled(perform('putSnapshot', { body: snapshot }))),
  } satisfies Partial<Sandbox>
}
