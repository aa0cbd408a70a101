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

/** The newest of what happened, once for all who follow: each of them is a place in it. */
export interface KeptEvents {
  /** `characters` is how many it holds on to beside what each event has. */
  keep(event: KeptEvent, characters?: number): void
  lastId(): string
  /**
   * A place after the event with this id; before all that are kept for `0`. What was missed is one event `gap` first, which `toGap`
   * writes out. Calls `onMore` with each that is kept from now on. Throws ApiError `invalid` for anything that is no such id.
   */
  follow(after: string, options: FollowOptions): Cursor<Event>
}

export interface FollowOptions {
  readonly onMore: () => void
  readonly toGap: KeptEvent
}

function writeOut(id: string, event: ReturnType<KeptEvent>): Event {
  return { id, ...event, text: eventText(event) }
}

/** `run` distinguishes the ids from those of another run. */
export function createKeptEvents(run: string): KeptEvents {
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
    keep(event, held = 0) {
      count++
      kept.push(event, held)
      more.emit()
    },
    lastId: () => idOf(count),
    follow(after, { onMore, toGap }) {
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
