import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import type { Assembled } from '../compose/assemble.ts'
import type { Sandbox } from './sandbox.ts'

export interface BenchPorts {
  /** Resolves when what was set off has come to rest. */
  readonly rest: () => Promise<void>
  readonly registerReceivers: () => Promise<void>
}

type Bench = Omit<Sandbox, 'play' | 'next' | 'advance' | keyof Looks>
type Looks = Pick<
  Sandbox,
  | 'origin'
  | 'fetch'
  | 'data'
  | 'jobs'
  | 'attempts'
  | 'now'
  | 'close'
  | 'expectDelivery'
  | 'expectNoDelivery'
  | typeof Symbol.asyncDispose
>

const NOTHING = { path: {}, query: {}, body: undefined } as const

/** The operations of the bench as functions. */
export function benchOver(assembled: Assembled, ports: BenchPorts): Bench {
  return {
    ...objectsOver(assembled, ports),
    ...deliveriesOver(assembled, ports),
    ...worldOver(assembled, ports),
  }
}

function objectsOver(
  { perform, store }: Assembled,
  { rest }: BenchPorts,
): Pick<Bench, 'create' | 'change' | 'move'> {
  async function objectOf<Type extends NotifiedType>(
    type: Type,
    performed: Promise<{ readonly id: string }>,
  ): Promise<ObjectByType[Type]> {
    const { id } = await performed
    await rest()
    const stored = store.object(type, id)
    if (!stored) throw new RangeError(`Cannot find ${type} "${id}"`)
    return stored.body
  }

  return {
    create: (type, fields = {}) =>
      objectOf(type, perform('createObject', { path: { type }, query: {}, body: { ...fields } })),
    change: (type, id, fields) =>
      objectOf(type, perform('changeObject', { path: { type, id }, query: {}, body: { ...fields } })),
    move: (type, id, state) =>
      objectOf(type, perform('moveObject', { path: { type, id }, query: {}, body: { to: state } })),
  }
}

function deliveriesOver(
  { perform }: Assembled,
  { rest }: BenchPorts,
): Pick<Bench, 'resend' | 'deliver' | 'addFault' | 'removeFault' | 'clearFaults' | 'faults' | 'requests'> {
  async function rested<Result>(performed: Promise<Result>): Promise<Result> {
    const result = await performed
    await rest()
    return result
  }

  return {
    resend: ({ id }) => rested(perform('resendJob', { path: { id }, query: {}, body: undefined })),
    deliver: (request) => rested(perform('craftDelivery', { path: {}, query: {}, body: request })),
    addFault: (request) => perform('addFault', { path: {}, query: {}, body: request }),
    async removeFault({ id }) {
      await rested(perform('removeFault', { path: { id }, query: {}, body: undefined }))
    },
    async clearFaults() {
      await rested(perform('clearFaults', NOTHING))
    },
    faults: async () => (await perform('listFaults', NOTHING)).faults,
    async requests(filter = {}) {
      const query = { limit: Number.POSITIVE_INFINITY, ...filter }
      return (await perform('listRequests', { path: {}, query, body: undefined })).requests
    },
  }
}

function worldOver(
  { perform }: Assembled,
  { rest, registerReceivers }: BenchPorts,
): Pick<Bench, 'setReadings' | 'setClock' | 'settle' | 'reset' | 'snapshot' | 'restore'> {
  return {
    async setReadings(chosen) {
      await perform('setReadings', { path: {}, query: {}, body: chosen })
    },
    async setClock(request) {
      const clock = await perform('setClock', { path: {}, query: {}, body: request })
      await rest()
      return clock
    },
    async settle({ timeoutMs = 10_000 } = {}) {
      const body = { timeout_ms: timeoutMs }
      const { settled, waiting_for = [] } = await perform('settle', { path: {}, query: {}, body })
      await rest()
      if (settled) return
      const waiting = waiting_for.map(({ what, count }) => `${count} ${what}`).join(', ')
      throw new Error(`Cannot settle within ${timeoutMs} ms: still waiting for ${waiting}`)
    },
    async reset() {
      await perform('resetSandbox', NOTHING)
      await registerReceivers()
      await rest()
    },
    snapshot: () => perform('getSnapshot', NOTHING),
    async restore(snapshot) {
      await perform('putSnapshot', { path: {}, query: {}, body: snapshot })
      await rest()
    },
  }
}
