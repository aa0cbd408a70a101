import type { ExchangeLog } from './run-result.ts'
import type { Service } from './service.ts'
import type { Outage, ReceiverUrls } from '../toolkit/check-context.ts'
import { RefusedError, type Registrations } from '../../sandbox/internal.ts'
import { retryOffsetsMs } from '../../spec/delivery.ts'
import type { JobPage } from '../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

interface OutagePorts {
  readonly service: Service
  readonly urls: ReceiverUrls
  readonly log: ExchangeLog
}

/** Simulates outages. The receiver is registered, but no delivery arrives. */
export interface Outages {
  begin(types: readonly NotifiedType[]): Promise<Outage>
  /** Removes the registrations. Jobs can no longer be listed. */
  close(): Promise<void>
}

/** After the last retry. */
const LATER_MS = 3_600_000

export function createOutages({ service, urls, log }: OutagePorts): Outages {
  const { perform } = service
  const cleanups: (() => Promise<unknown>)[] = []
  const note = (text: string) => log.add({ kind: 'world', text, about: [] })

  /** Returns the reason for a failed registration, or undefined. */
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
    note(`The service has given up ${count} notifications by ${now}`)
    return count
  }

  return {
    async begin(types) {
      const webhooks = await service.webhooks()
      const obstacles: string[] = []
      for (const type of types) {
        const obstacle = await register(webhooks, type)
        if (obstacle !== undefined) obstacles.push(obstacle)
      }
      note(`The service notifies of ${types.join(', ')}, and nothing arrives`)
      return { obstacle: obstacles[0], outlast }
    },
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
