import { batch, signal } from '@preact/signals'
import type {
  Event,
  JobSummary,
  RequestRecord,
  TimelineAttempt,
  TimelinePage,
  TimelinePayment,
} from '../../../spec/generated/control-types.ts'
import type { Perform } from '../../compose/perform.ts'
import { createRepetition, type EventSubscription } from './listing.ts'
import { listJobPages } from './pages.ts'
import { toDrawnJob, createTimelineData, type DrawnAttempt, type TimelineData } from './timeline-data.ts'

interface TimelinePorts {
  readonly perform: Perform
  readonly soon: (run: () => void) => void
  readonly onError: (error: unknown) => void
}

/** The number of jobs in a page. A page of this size can be processed between two animation frames. */
const PAGE = 250

/** Creates the live timeline. After a gap in the events, reloads all jobs, newest first. Applies new events even during a load. */
export function createTimelineFeed(feed: EventSubscription, { perform, soon, onError }: TimelinePorts) {
  const data = signal(createTimelineData())
  /** A counter that changes whenever `data` changes. */
  const version = signal(0)
  /** The number of jobs that are not yet loaded. Undefined until the first page is loaded. */
  const unlisted = signal<number | undefined>(undefined)
  let upcoming = data.value

  /** The old rows stay visible until the new rows are loaded. */
  const list = createRepetition(async (isOver) => {
    const fresh = createTimelineData()
    upcoming = fresh
    try {
      for await (const page of listJobPages(perform, { limit: PAGE })) {
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
      if (!isOver()) onError(error)
    }
  })

  feed.subscribe((news) => {
    if (news === 'gap') return list()
    for (const event of news) takeIn(event, upcoming)
    version.value++
  })
  return { data, version, unlisted }
}

function addPage(timeline: TimelineData, { jobs, payments, calls }: TimelinePage): void {
  timeline.addOlder(jobs.map(toDrawnJob))
  for (const payment of payments) timeline.addPayment(payment)
  for (const call of calls) timeline.addCall({ ...call, at: Date.parse(call.at) })
}

function takeIn({ type, at, data }: Event, timeline: TimelineData): void {
  if (type === 'payment' && isPayment(data)) timeline.addPayment(data)
  if (isAboutJob(data)) {
    const attempts = type === 'attempt' && isAttempt(data) ? [toDrawnAttempt(at, data)] : []
    timeline.addNewer({ ...toDrawnJob({ job: data.job, attempts: [] }), attempts })
  }
  if (type === 'request' && isRequest(data)) {
    const { id, object_type, kept_id, object_id, operation, status, faults } = data
    if (object_type === null || operation === null) return
    const about = { object_type, object_id: kept_id ?? object_id ?? '' }
    timeline.addCall({ ...about, id, at: Date.parse(at), operation, status, faults: kindsOf(faults) })
  }
}

// One field identifies the type of the event data, because the events come from the sandbox.
type AttemptData = Omit<TimelineAttempt, 'at' | 'faults'> & Pick<RequestRecord, 'faults'>
const isPayment = (data: object): data is TimelinePayment => 'steps' in data
const isAboutJob = (data: object): data is { readonly job: JobSummary } =>
  'job' in data && 'object_id' in Object(data.job)
const isAttempt = (data: object): data is AttemptData => 'number' in data
const isRequest = (data: object): data is RequestRecord => 'operation' in data

const kindsOf = (faults: RequestRecord['faults']) => faults.map(({ kind }) => kind)

function toDrawnAttempt(at: string, data: AttemptData): DrawnAttempt {
  const { number, status, reason, manual, took_ms, faults } = data
  return { number, at: Date.parse(at), status, reason, manual, took_ms, faults: kindsOf(faults) }
}
