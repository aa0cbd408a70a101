import type { Event } from '../../../spec/generated/control-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { createNewest } from '../../engine/core/newest.ts'
import { createSignal } from '../../engine/core/signal.ts'
import type { Cursor } from '../operations/operation.ts'
import { eventText } from './event-text.ts'

/** A kept event. The function formats the event for followers. */
type KeptEvent = () => Omit<Event, 'id' | 'text'>

/**
 * The minimum number of kept events. The maximum number of kept events is twice this minimum. A follower that is further behind
 * misses events.
 */
const MAX_KEPT = 20_000

/** The maximum number of characters in stored events. Unauthenticated callers can send long paths. */
const MAX_CHARACTERS = 8_000_000

function writeOut(id: string, event: ReturnType<KeptEvent>): Event {
  return { id, ...event, text: eventText(event) }
}

/** Stores the newest events for all followers. `run` makes the event ids of this run unique. */
export function createKeptEvents(run: string) {
  const more = createSignal<void>()
  const kept = createNewest<KeptEvent>(MAX_KEPT, MAX_CHARACTERS)
  let count = 0
  let written: Event | undefined

  const idOf = (number: number) => `${run}-${number}`
  const firstKept = () => count - kept.length + 1

  /** Caches the last formatted event, because followers mostly read the same event. */
  function write(number: number): Event | undefined {
    const event = kept.at(number - firstKept())
    if (event && written?.id !== idOf(number)) written = writeOut(idOf(number), event())
    return event && written
  }

  /** Returns the position after this event. `missed` is true if events are missing. */
  function findPlace(after: string): { readonly place: number; readonly missed: boolean } {
    const { itsRun, itsCount } = parseEventId(after)
    const seen = itsRun === run ? Math.min(Number(itsCount), count) : 0
    const place = Math.max(seen, firstKept() - 1)
    return { place, missed: place > seen || (after !== '0' && itsRun !== run) }
  }

  return {
    /** `held` is the number of additional characters that the stored event keeps in memory. */
    keep(event: KeptEvent, held = 0): void {
      count++
      kept.push(event, held)
      more.emit()
    },
    lastId: () => idOf(count),
    /**
     * Returns a cursor after the event with this id. The id `0` is before all stored events. A `gap` event replaces missed events.
     * Calls `onMore` for each new event. Throws ApiError `invalid` for an unknown id.
     */
    follow(
      after: string,
      { onMore, toGap }: { readonly onMore: () => void; readonly toGap: KeptEvent },
    ): Cursor<Event> {
      let { place, missed } = findPlace(after)
      const isLost = () => place + 1 < firstKept()
      return {
        get isLost() {
          return isLost()
        },
        next() {
          // The gap has the id of the last missed event. A reader that continues from this id misses no event and gets no event twice.
          if (missed) {
            missed = false
            return writeOut(idOf(place), toGap())
          }
          if (isLost() || place === count) return undefined
          return write(++place)
        },
        end: more.subscribe(onMore),
      }
    },
  }
}

/** Parses the id of an event. 0 is before all events. Throws ApiError for an unknown id. */
function parseEventId(id: string): { readonly itsRun: string; readonly itsCount: string } {
  const [, itsRun = '', itsCount = ''] = /^(\w+)-(\d{1,15})$/.exec(id) ?? []
  if (id === '0' || itsRun !== '') return { itsRun, itsCount }
  const message = `Unknown event id "${id}". Use the "id" of an earlier event`
  throw new ApiError('invalid', {
    field: 'Last-Event-ID',
    message,
    hint: 'give 0 for all known events',
  })
}
