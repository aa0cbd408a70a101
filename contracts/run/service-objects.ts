import type { FaultRequest, JobPage } from '../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import type { Message, ServiceObjects, Outage } from '../toolkit/check-context.ts'
import { messageFor } from './messages.ts'
import { createPlay, type BegunPayment, type ServiceObjectsPorts } from './payment-play.ts'
import type { Service } from './service.ts'
import { RefusedError, type Registrations } from '../../sandbox/internal.ts'
import { retryOffsetsMs } from '../../spec/delivery.ts'

interface OpenServiceObjects extends ServiceObjects {
  readonly plays: BegunPayment[]
  /** Ends the remaining faults. Changed objects stay visible, so that late calls of the receiver still find them. */
  close(): Promise<void>
  forget(): Promise<void>
}

export function createServiceObjects(ports: ServiceObjectsPorts): OpenServiceObjects {
  const { service, seeds, log, onMade } = ports
  const { perform } = service
  const disturbances = createDisturbances(ports)
  const plays: BegunPayment[] = []
  const outages = createOutages(ports)

  function known(type: NotifiedType, id: string, object: object): Message {
    const message = messageFor(type, object, service.translator)
    onMade({ type, id }, message.id)
    return message
  }

  return {
    newId: () => seeds.newId(),
    adopt: ({ type, id }) => onMade({ type, id }),
    async create(type, fields = {}) {
      const body = { ...fields }
      const made = await perform('createObject', { path: { type }, query: { seed: seeds.next() }, body })
      const message = known(type, made.id, made.object)
      const about = [message.id, made.id].map((id) => ({ type, id }))
      log.add({ kind: 'world', text: `The service created ${type} ${made.id}`, about })
      return message
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
    now: async () => (await perform('getClock')).now,
    async advance(ms) {
      const now = await service.passTime(ms)
      log.add({ kind: 'world', text: `The service's clock was moved to ${now}`, about: [] })
      return now
    },
    play: (kind, outcome, options = {}) =>
      createPlay({ kind, outcome, ...options }, ports, (begun) => void plays.push(begun)),
    plays,
    disturb: disturbances.disturb,
    beginOutage: outages.begin,
    async close() {
      await disturbances.close()
      await outages.close()
    },
    forget: disturbances.forget,
  }
}

/** Adds faults to the service. Each fault is active until `stop` or `close` ends the fault. */
function createDisturbances({ service: { perform }, log }: ServiceObjectsPorts) {
  const active = new Map<() => Promise<void>, FaultRequest['kind']>()
  const disturb: ServiceObjects['disturb'] = async ({ type, id: objectId }, fault) => {
    const about = [{ type, id: objectId }]
    const match = { object_type: type, object_id: objectId }
    const { id } = await perform('addFault', { body: { on: 'api', match, ...fault } })
    const target = JSON.stringify(match)
    log.add({ kind: 'world', text: `The service has a fault: ${fault.kind} for ${target}`, about })
    const stop = async () => {
      if (!active.delete(stop)) return
      await perform('removeFault', { path: { id } })
      log.add({ kind: 'world', text: `The fault in the service ended: ${fault.kind}`, about })
    }
    active.set(stop, fault.kind)
    return { stop }
  }
  const end = async (isMeant: (kind: FaultRequest['kind']) => boolean) => {
    for (const [stop, kind] of Array.from(active)) if (isMeant(kind)) await stop()
  }
  return {
    disturb,
    close: () => end((kind) => kind !== 'modified-show'),
    forget: () => end((kind) => kind === 'modified-show'),
  }
}

/** An additional time after the last retry, in milliseconds. After this time, the service has given up all retries. */
const LATER_MS = 3_600_000

/** Simulates outages. The receiver is registered, but no delivery arrives. */
function createOutages({ service, urls, log }: ServiceObjectsPorts) {
  const { perform } = service
  const cleanups: (() => Promise<unknown>)[] = []
  const note = (text: string) => log.add({ kind: 'world', text, about: [] })

  async function register(webhooks: Registrations, type: NotifiedType): Promise<string | undefined> {
    try {
      const { id } = await webhooks.create({ url: urls.url(type), object_type: type })
      cleanups.push(() => webhooks.remove(id))
      const fault = await perform('addFault', {
        body: { on: 'delivery', kind: 'drop', match: { registration_id: id } },
      })
      cleanups.push(() => perform('removeFault', { path: { id: fault.id } }))
      return undefined
    } catch (error) {
      if (error instanceof RefusedError) return `${type}: ${error.message}`
      throw error
    }
  }

  async function outlast(): Promise<number> {
    const lastRetryMs = retryOffsetsMs('webhooks', service.readings).at(-1) ?? 0
    const now = await service.passTime(lastRetryMs + LATER_MS)
    const count = await countFailedJobs(service)
    note(`The service stopped retrying ${count} notifications by ${now}`)
    return count
  }

  return {
    async begin(types: readonly NotifiedType[]): Promise<Outage> {
      const webhooks = await service.webhooks()
      const obstacles = await Array.fromAsync(types, (type) => register(webhooks, type))
      note(`The service sends notifications of ${types.join(', ')}, but none of them arrive`)
      return { obstacle: obstacles.find((each) => each !== undefined), outlast }
    },
    /** Removes the registrations. Afterwards, the failed jobs can no longer be listed. */
    async close() {
      for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
    },
  }
}

async function countFailedJobs({ perform }: Pick<Service, 'perform'>): Promise<number> {
  let count = 0
  let cursor: string | null = '0'
  while (cursor !== null) {
    const query = { status: 'failed', limit: 200, cursor } as const
    const page: JobPage = await perform('listJobs', { path: {}, query, body: undefined })
    count += page.jobs.length
    cursor = page.next_cursor
  }
  return count
}
