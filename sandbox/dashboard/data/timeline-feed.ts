import { batch, signal, type ReadonlySignal } from '@preact/signals'
import type {
  Event,
  JobSummary,
  TimelinePage,
  TimelinePayment,
} from '../../../spec/generated/control-types.ts'
import type { Perform } from '../../compose/perform.ts'
import { toDrawnJob, type DrawnAttempt, createTimelineData, type TimelineData } from './timeline-data.ts'

/** The live timeline. */
export interface TimelineFeed {
  readonly data: ReadonlySignal<TimelineData>
  /** Changes after each change of the data. */
  readonly version: ReadonlySignal<number>
  /** The number of unlisted jobs. Undefined before the first page. */
  readonly unlisted: ReadonlySignal<number | undefined>
  payment(id: string): TimelinePayment | undefined
}

export interface TimelinePorts {
  readonly perform: Perform
  readonly onEvents: (listener: (events: readonly Event[]) => void) => unknown
  readonly onGap: (listener: () => void) => unknown
  readonly onResume: (listener: () => void) => unknown
  /** Before the next frame. */
  readonly soon: (run: () => void) => void
  readonly onError: (error: unknown) => void
}

/** Small enough to take in between two frames. */
const PAGE = 250

/** Lists all jobs again after each gap, newest first, and takes in events meanwhile. */
export function createTimelineFeed(ports: TimelinePorts): TimelineFeed {
  const { perform, onEvents, onGap, onResume, soon, onError } = ports
  const data = signal(createTimelineData())
  const version = signal(0)
  const unlisted = signal<number | undefined>(undefined)
  let upcoming = data.value
  let failed = false

  /** The earlier rows stay until newer ones are known. */
  const list = createRepetition(async (isOver) => {
    const fresh = createTimelineData()
    upcoming = fresh
    failed = false
    try {
      for await (const page of listPages(perform, { limit: PAGE })) {
        await new Promise<void>((resolve) => soon(resolve))
        if (isOver()) return
        addPage(fresh, page)
        batch(() => {
          data.value = fresh
          unlisted.value = page.older
          version.value++
        })
      }
    } catch (error) {
      if (isOver()) return
      failed = true
      onError(error)
    }
  })

  onGap(() => void list())
  onResume(() => {
    if (failed) void list()
  })
  onEvents((events) => {
    for (const event of events) takeIn(event, upcoming)
    version.value++
  })
  return {
    data,
    version,
    unlisted,
    payment(id) {
      void version.value
      return data.value.payment(id)
    },
  }
}

/** Repeats an act while new wishes come. `isOver` is true after a newer wish. */
export function createRepetition(act: (isOver: () => boolean) => Promise<void>): () => Promise<void> {
  let [isUnderWay, wishes] = [false, 0]
  return async () => {
    wishes++
    if (isUnderWay) return
    isUnderWay = true
    for (let done = 0; done !== wishes;) {
      const wish = wishes
      await act(() => wish !== wishes)
      done = wish
    }
    isUnderWay = false
  }
}

/** Lists the pages of jobs, newest first. */
export async function* listPages(
  perform: Perform,
  query: { readonly limit: number; readonly text?: string },
): AsyncGenerator<TimelinePage> {
  for (let before: string | null | undefined; before !== null;) {
    const page: TimelinePage = await perform('listTimeline', {
      query: { ...query, ...(before !== undefined && { before }) },
    })
    yield page
    before = page.before
  }
}

function addPage(timeline: TimelineData, { jobs, payments, calls }: TimelinePage): void {
  timeline.addOlder(jobs.map(toDrawnJob))
  for (const payment of payments) timeline.addPayment(payment)
  for (const call of calls) timeline.addCall({ ...call, at: Date.parse(call.at) })
}

function takeIn({ type, at, data }: Event, timeline: TimelineData): void {
  if (type === 'job' || type === 'attempt' || type === 'job_called_off') {
    const { job } = data
    if (!isJobSummary(job)) return
    const attempts = type === 'attempt' ? [toAttempt(at, data)] : []
    timeline.addNewer({ ...toDrawnJob({ job, attempts: [] }), attempts })
  } else if (type === 'payment') {
    if (isPayment(data)) timeline.addPayment(data)
  } else if (type === 'request') {
    const { id, object_type, kept_id, object_id, operation, status, faults } = data
    if (typeof object_type !== 'string' || typeof operation !== 'string' || typeof id !== 'number') return
    timeline.addCall({
      id,
      at: Date.parse(at),
      object_type,
      object_id: String(kept_id ?? object_id),
      operation,
      status: toNumber(status),
      faults: toKinds(faults),
    })
  }
}

function isJobSummary(value: unknown): value is JobSummary {
  return typeof value === 'object' && value !== null && 'object_id' in value
}

function toAttempt(at: string, data: Event['data']): DrawnAttempt {
  const { number, status, reason, manual, took_ms, faults } = data
  return {
    number: toNumber(number) ?? 1,
    at: Date.parse(at),
    status: toNumber(status),
    reason: typeof reason === 'string' ? reason : null,
    manual: manual === true,
    took_ms: toNumber(took_ms),
    faults: toKinds(faults),
  }
}

const toNumber = (value: unknown) => (typeof value === 'number' ? value : null)

function toKinds(faults: unknown): string[] {
  return Array.isArray(faults) ? faults.map((fault) => String(Reflect.get(Object(fault), 'kind'))) : []
}

function isPayment(value: object): value is TimelinePayment {
  return 'id' in value && 'kind' in value && 'outcome' in value && 'steps' in value
}
