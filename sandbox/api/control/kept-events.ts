import type { Event } from '../../../spec/generated/control-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { createNewest } from '../../engine/core/newest.ts'
import { createSignal } from '../../engine/core/signal.ts'
import type { Cursor } from '../operations/operation.ts'
import { eventText } from './event-text.ts'

/** An event as it is kept: it is written out only for those who follow. */
type KeptEvent = () => Omit<Event, 'id' | 'text'>

/** How many are kept at least, and half of how many at most. Who follows and is further behind is lost. */
const MOST_KEPT = 20_000

/** The same of the characters that they hold on to: whoever has no token can call with long paths. */
const MOST_CHARACTERS = 8_000_000

function writeOut(id: string, event: ReturnType<KeptEvent>): Event {
  return { id, ...event, text: eventText(event) }
}

/** Keeps the newest events for all followers. `run` distinguishes the ids from those of another run. */
export function createKeptEvents(run: string) {
  const more = createSignal<void>()
  const kept = createNewest<KeptEvent>(MOST_KEPT, MOST_CHARACTERS)
  let count = 0
  let written: Event | undefined

  const idOf = (number: number) => `${run}-${number}`
  const firstKept = () => count - kept.length + 1

  /** Whoever follows reads the same one, mostly: the last is kept as it was written out. */
  function write(number: number): Event | undefined {
    const event = kept.at(number - firstKept())
    if (event && written?.id !== idOf(number)) written = writeOut(idOf(number), event())
    return event && written
  }

  /** The number of the event with this id, as far as it is known. */
  function findPlace(after: string): { readonly place: number; readonly missed: boolean } {
    const { itsRun, itsCount } = parseEventId(after)
    const seen = itsRun === run ? Math.min(Number(itsCount), count) : 0
    const place = Math.max(seen, firstKept() - 1)
    return { place, missed: place > seen || (after !== '0' && itsRun !== run) }
  }

  return {
    /** `held` is the number of characters that the event keeps in memory besides its own data. */
    keep(event: KeptEvent, held = 0): void {
      count++
      kept.push(event, held)
      more.emit()
    },
    lastId: () => idOf(count),
    /**
     * Returns a cursor after the event with this id, or before all kept events for `0`. Missed events are replaced by one
     * `gap` event. Calls `onMore` with each new event. Throws ApiError `invalid` for an unknown id.
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
          // Its id is that of the last event before those that are known, so that going on after it repeats nothing.
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

/** Throws ApiError if it is none; 0 is before all. */
function parseEventId(id: string): { readonly itsRun: string; readonly itsCount: string } {
  const [, itsRun = '', itsCount = ''] = /^(\w+)-(\d{1,15})$/.exec(id) ?? []
  if (id === '0' || itsRun !== '') return { itsRun, itsCount }
  const message = `Unknown event id "${id}". Take it from the "id" of an event`
  throw new ApiError('invalid', {
    field: 'Last-Event-ID',
    message,
    hint: 'give 0 for everything that is known',
  })
}
