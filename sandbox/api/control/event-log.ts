import type { Event, RequestRecord } from '../../../spec/generated/control-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { createSignal } from '../../engine/core/signal.ts'
import type { RequestLog } from '../../engine/state/request-log.ts'
import type { Store } from '../../engine/state/store.ts'
import { eventOf } from './event-of.ts'
import type { EventFeed } from './operation.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

/** What happened, the newest of it, in memory. */
export interface EventLog extends EventFeed {
  tellReplaced(reason: 'reset' | 'snapshot'): void
}

export interface EventLogPorts {
  readonly store: Store
  readonly requests: RequestLog
  /** Tells this run's ids from those of another. */
  readonly run: string
  /** Sandbox time. */
  readonly now: () => number
}

const MOST_KEPT = 10_000

export function createEventLog({ store, requests, run, now }: EventLogPorts): EventLog {
  const happened = createSignal<Event>()
  let events: Event[] = []
  let count = 0

  function keep(type: Event['type'], at: string, data: Event['data']): void {
    const event: Event = { id: `${run}-${++count}`, type, at, data }
    events.push(event)
    if (events.length >= 2 * MOST_KEPT) events = events.slice(-MOST_KEPT)
    happened.tell(event)
  }

  store.subscribe((head) => {
    const { type, data } = eventOf(head, store)
    keep(type, timestamp(head.at), data)
  })
  requests.subscribe((request: RequestRecord) => keep('request', timestamp(now()), { ...request }))

  /** What is known of what came after, and whether something was missed. */
  function since(after: string): { readonly known: readonly Event[]; readonly missed: boolean } {
    const [, itsRun = '', itsCount = ''] = /^(\w+)-(\d{1,15})$/.exec(after) ?? []
    if (after !== '0' && itsRun === '') {
      const message = `Cannot go on after event "${after}": it is no id of an event`
      throw new ApiError('invalid', {
        field: 'Last-Event-ID',
        message,
        hint: 'give 0 for everything that is known',
      })
    }
    const seen = itsRun === run ? Number(itsCount) : 0
    const first = count - events.length
    const isOfThisRun = after === '0' || itsRun === run
    return { known: events.slice(Math.max(0, seen - first)), missed: !isOfThisRun || seen < first }
  }

  return {
    follow(after, tell) {
      if (after !== undefined) {
        const { known, missed } = since(after)
        const message = 'What happened in between is no longer known: list what you need'
        // Its id is that of the last event that is not told, so that going on after it repeats nothing.
        if (missed)
          tell({
            id: `${run}-${count - known.length}`,
            type: 'gap',
            at: timestamp(now()),
            data: { after, message },
          })
        for (const event of known) tell(event)
      }
      return happened.subscribe(tell)
    },
    lastId: () => `${run}-${count}`,
    tellReplaced: (reason) => keep('world', timestamp(now()), { reason }),
  }
}
