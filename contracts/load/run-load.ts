import { createBooks, compareBooks, type BookComparison } from './books.ts'
import { createConnectionPlaces } from './connection-places.ts'
import { generateLoad } from './generate-load.ts'
import type { LoadResult } from './conclusion.ts'
import { createLoadSender } from './load-sender.ts'
import { createRecorder, followProgress, type Progress } from './measurements.ts'
import { notificationMaker, refuseRepeats } from './notification-maker.ts'
import { planLoadPace, planNotifications } from './plan.ts'
import { createSchedule, type ScheduleOptions } from './schedule.ts'
import {
  describeShares,
  selectStartedShares,
  planContent,
  type LoadContent,
  type ShareWish,
} from './shares.ts'
import { createSupply } from './supply.ts'
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
  /** The requested content. An empty list means one payment of each judged kind. */
  readonly shares: readonly ShareWish[]
  readonly connections: number
  readonly compare: number
  /** True if the seed may have been used before. */
  readonly isSeedGiven: boolean
  /** The response time in milliseconds from which the receiver counts as the cause of a wait. */
  readonly longMs: number
  /** Ends the load early, with partial results. */
  readonly stop?: AbortSignal | undefined
}

export interface LoadHooks {
  /** Called with the address of the service once it listens. */
  readonly onReady?: (run: Pick<Run, 'serviceUrl' | 'sinkUrl' | 'close'>) => void
  readonly onProgress?: (progress: Progress) => void
  readonly onCompare?: () => void
}

/** Sends the load and returns the result. Throws errors with a remedy. */
export async function runLoad(
  options: RunOptions,
  wish: LoadWish,
  hooks: LoadHooks = {},
): Promise<LoadResult> {
  const planned = planContent(options, wish.shares)
  const { count } = createSchedule(wish.schedule)
  const size = { count, rate: wish.schedule.rate }
  const shares = selectStartedShares(planned.shares, size, { isAskedFor: wish.shares.length > 0 })
  const content = { ...planned, shares }
  const { service } = options
  const isLarge = count > MAX_IN_MEMORY
  const run = await openRun({
    ...options,
    service: service.kind === 'own' ? { ...service, isLarge } : service,
  })
  try {
    hooks.onReady?.(run)
    const reached =
      run.unreached === null ? await reachHosts(run.shared, content) : { unreached: run.unreached }
    if ('unreached' in reached) return unreachedResult(run, { content, wish }, reached.unreached)
    return await conduct(run, { content, wish, hosts: reached.hosts }, hooks)
  } finally {
    await run.close()
  }
}

interface Conducted {
  readonly content: LoadContent
  readonly wish: LoadWish
  readonly hosts: readonly string[]
}

const AT_ONCE = 32
/** The wait after the deadline of the last delivery, in milliseconds. */
const DRAIN_MS = 1_000

async function conduct(run: Run, conducted: Conducted, hooks: LoadHooks): Promise<LoadResult> {
  const { shared } = run
  const { service, options } = shared
  const { wish } = conducted
  const parts = createParts(shared, conducted)
  const { schedule, transport, recorder, books, places } = parts
  // The clock of the service runs in real time, as in production.
  await service.perform('setClock', { body: { mode: 'real' } })
  const progress = followProgress(recorder, schedule.durationMs, { ...shared, ...hooks })
  let startedAt = shared.elapsed()
  try {
    const unsent = await generateLoad(schedule, {
      ...shared,
      ...parts,
      stop: wish.stop,
      drainMs: service.readings['delivery-deadline'] + DRAIN_MS,
      onStart() {
        startedAt = shared.elapsed()
        progress.start()
      },
    })
    const tookMs = shared.elapsed() - startedAt
    progress.end()
    const comparison = await untilAborted(wish.stop, async () => {
      if (shared.probe) hooks.onCompare?.()
      return compareBooks(books, wish.compare, { ...shared, ...options })
    }).catch((error: unknown): BookComparison => {
      if (wish.stop?.aborted === true && error === wish.stop.reason) return { kind: 'stopped' }
      throw error
    })
    const facts = { measurements: recorder.result(), connections: places.result() }
    return { ...aboutRun(run, conducted), ...facts, tookMs, unreached: null, unsent, comparison }
  } finally {
    progress.end()
    await transport.close()
  }
}

function createParts(shared: Shared, { content, wish, hosts }: Conducted) {
  const { service, options } = shared
  const schedule = createSchedule(wish.schedule)
  const limit = Math.min(wish.connections, maxConcurrentDeliveries())
  const transport = createUndiciTransport({
    trustedCas: () => shared.trustedCas,
    egress: createEgress({ allowTargets: hosts, ownPorts: () => [Number(new URL(service.url).port)] }),
    connectionsPerOrigin: limit,
  })
  const { count } = schedule
  const pace = planLoadPace(content.shares, { count, rate: wish.schedule.rate })
  const plan = planNotifications(content.shares, { count, apart: pace.apart })
  const maker = notificationMaker({ ...shared, ...content, ...pace })
  const { probe } = shared
  const make = wish.isSeedGiven && probe ? refuseRepeats(maker, { seed: options.seed, probe }) : maker
  const sending = {
    ...content,
    receiver: options.receiver,
    secret: options.secret,
    readings: service.readings,
    now: () => Date.parse(shared.now()),
  }
  return {
    schedule,
    transport,
    supply: createSupply(plan, make, { ahead: pace.ahead, atOnce: AT_ONCE }),
    send: createLoadSender(sending, transport),
    recorder: createRecorder(schedule.durationMs),
    books: createBooks(),
    places: createConnectionPlaces(limit, wish),
  }
}

type Around = Pick<Conducted, 'content' | 'wish'>

function aboutRun({ shared, serviceUrl, startedAt }: Run, { content, wish }: Around) {
  const { options } = shared
  return {
    receiver: maskedReceiverUrl(options),
    serviceUrl,
    seed: options.seed,
    startedAt,
    schedule: wish.schedule,
    content: describeShares(content.shares),
  }
}

function unreachedResult(run: Run, around: Around, unreached: string): LoadResult {
  return {
    ...aboutRun(run, around),
    tookMs: 0,
    unreached,
    measurements: createRecorder(0).result(),
    connections: createConnectionPlaces(around.wish.connections, around.wish).result(),
    unsent: { unmade: 0, unplaced: 0 },
    comparison: { kind: 'not-observable' },
  }
}

/** The maximum number of notifications for a service in memory, which then takes up to 250 MB. */
const MAX_IN_MEMORY = 50_000

type ReachedHosts = { readonly hosts: readonly string[] } | { readonly unreached: string }

/** Sends one test POST to each origin through the service. Returns the hosts that the load may then call directly. */
async function reachHosts(shared: Shared, { urls, generation }: LoadContent): Promise<ReachedHosts> {
  const { context } = createCheckContext('the hosts of a load', shared)
  const body = testBody(shared.profile)
  const byOrigin = new Map(
    urls.types().map((type) => {
      const url = urls.url(type, generation)
      return [new URL(url).origin, url] as const
    }),
  )
  for (const url of byOrigin.values()) {
    const { status, message } = await context.post({ url, generation, body, label: 'the test POST' })
    if (status === null) return { unreached: shared.mask(message) }
  }
  return { hosts: [...byOrigin.keys()].map((origin) => new URL(origin).hostname.replace(/[[\]]/g, '')) }
}
