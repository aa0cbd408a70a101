import { createBooks, compareBooks, type BookComparison } from './books.ts'
import { createConnectionPlaces } from './connection-places.ts'
import type { LoadResult } from './conclusion.ts'
import { createLoadSender } from './load-sender.ts'
import { createRecorder } from './measurements.ts'
import { notificationMaker } from './notifications.ts'
import { planLoadPace, planNotifications } from './plan.ts'
import { createSchedule, type Schedule, type ScheduleOptions } from './schedule.ts'
import { createSupply, sendLoad, type Progress } from './send-load.ts'
import { describeShares, planContent, type LoadContent, type ShareWish } from './shares.ts'
import { createCheckContext } from '../run/create-check-context.ts'
import type { Shared } from '../run/shared-state.ts'
import { testBody } from '../toolkit/messages.ts'
import { openRun, type Run } from '../run/open-run.ts'
import { maskedReceiverUrl } from '../run/run-secrets.ts'
import { untilAborted } from '../toolkit/scheduling.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { createEgress, createUndiciTransport, maxConcurrentDeliveries } from '../../sandbox/internal.ts'

export interface LoadWish {
  readonly schedule: ScheduleOptions
  /** The requested shares. An empty list means one payment of each possible kind. */
  readonly shares: readonly ShareWish[]
  readonly connections: number
  readonly compare: number
  /** The response time, in milliseconds, from which the receiver counts as the cause of a wait for a connection. */
  readonly longMs: number
  /** Ends the load early, with partial results. */
  readonly stop?: AbortSignal | undefined
}

export interface LoadHooks {
  /** Called with the addresses of the run as soon as the service is listening. */
  readonly onReady?: (run: Pick<Run, 'serviceUrl' | 'sinkUrl' | 'close'>) => void
  readonly onProgress?: (progress: Progress) => void
  readonly onCompare?: () => void
}

interface Load {
  readonly run: Run
  readonly wish: LoadWish
  readonly content: LoadContent
  readonly schedule: Schedule
}

/** The maximum number of notifications if the service stores its data in memory. They need up to 250 MB of memory. */
const MAX_IN_MEMORY = 50_000

/** Sends the load and returns the result. The message of each error names a remedy. */
export async function runLoad(
  options: RunOptions,
  wish: LoadWish,
  hooks: LoadHooks = {},
): Promise<LoadResult> {
  const schedule = createSchedule(wish.schedule)
  const content = planContent(options, wish.shares, { ...schedule, rate: wish.schedule.rate })
  const { service } = options
  const isLarge = schedule.count > MAX_IN_MEMORY
  const run = await openRun({
    ...options,
    service: service.kind === 'own' ? { ...service, isLarge } : service,
  })
  try {
    hooks.onReady?.(run)
    return await conduct({ run, wish, content, schedule }, hooks)
  } finally {
    await run.close()
  }
}

/** The time to wait after the deadline of the last delivery, in milliseconds. */
const DRAIN_MS = 1_000

async function conduct(load: Load, hooks: LoadHooks): Promise<LoadResult> {
  const { run, wish, content, schedule } = load
  const { shared } = run
  const { service, options } = shared
  const recorder = createRecorder(schedule.durationMs)
  const limit = Math.min(wish.connections, maxConcurrentDeliveries())
  const places = createConnectionPlaces(limit, wish)
  const toResult = (rest: Pick<LoadResult, 'tookMs' | 'unreached' | 'comparison'>): LoadResult => ({
    receiver: maskedReceiverUrl(options),
    serviceUrl: run.serviceUrl,
    seed: options.seed,
    startedAt: run.startedAt,
    schedule: wish.schedule,
    content: describeShares(content.shares),
    measurements: recorder.result(),
    connections: places.result(),
    ...rest,
  })
  const unreached = run.unreached ?? (await findUnreachedHost(shared, content))
  if (unreached !== null) return toResult({ tookMs: 0, unreached, comparison: { kind: 'not-observable' } })
  const transport = openTransport(load, limit)
  // The clock of the service runs in real time, as in production.
  await service.perform('setClock', { body: { mode: 'real' } })
  try {
    const books = createBooks()
    const tookMs = await sendLoad(schedule, {
      ...shared,
      ...hooks,
      recorder,
      places,
      books,
      supply: openSupply(load),
      send: createLoadSender({ ...shared, ...content }, transport),
      stop: wish.stop,
      drainMs: service.readings['delivery-deadline'] + DRAIN_MS,
    })
    const comparison = await untilAborted(wish.stop, async () => {
      if (shared.probe) hooks.onCompare?.()
      return compareBooks(books, wish.compare, { ...shared, ...options })
    }).catch((error: unknown): BookComparison => {
      if (wish.stop?.aborted === true && error === wish.stop.reason) return { kind: 'stopped' }
      throw error
    })
    return toResult({ tookMs, unreached: null, comparison })
  } finally {
    await transport.close()
  }
}

function openTransport({ run: { shared }, content }: Load, limit: number) {
  const hosts = urlByOrigin(content).keys()
  return createUndiciTransport({
    trustedCas: () => shared.trustedCas,
    egress: createEgress({
      allowTargets: [...hosts].map((origin) => new URL(origin).hostname.replace(/[[\]]/g, '')),
      ownPorts: () => [Number(new URL(shared.service.url).port)],
    }),
    connectionsPerOrigin: limit,
  })
}

const AT_ONCE = 32

function openSupply({ run: { shared }, wish, content, schedule: { count } }: Load) {
  const { apart, ahead } = planLoadPace(content.shares, { count, rate: wish.schedule.rate })
  const make = notificationMaker({ ...shared, ...content, apart })
  return createSupply(planNotifications(content.shares, { count, apart }), make, { ahead, atOnce: AT_ONCE })
}

function urlByOrigin({ urls, generation }: LoadContent): ReadonlyMap<string, string> {
  return new Map(
    urls.types().map((type) => {
      const url = urls.url(type, generation)
      return [new URL(url).origin, url] as const
    }),
  )
}

/** Sends each origin a test POST before the load sends its notifications. Returns null if all origins respond. */
async function findUnreachedHost(shared: Shared, content: LoadContent): Promise<string | null> {
  const { context } = createCheckContext('the hosts of a load', shared)
  const { generation } = content
  const body = testBody(shared.profile)
  for (const url of urlByOrigin(content).values()) {
    const { status, message } = await context.post({ url, generation, body, label: 'the test POST' })
    if (status === null) return shared.mask(message)
  }
  return null
}
