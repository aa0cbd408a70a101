import type { Event } from '../../../spec/generated/control-types.ts'
import { createSignal } from '../../engine/core/signal.ts'
import type { EventFeed } from './listing.ts'

/** Collects events and emits them once per frame, up to 500 at a time. */
export interface EventQueue extends EventFeed {
  push(event: Event): void
  /** Drops the waiting events. */
  gap(): void
  resume(): void
}

const MOST_AT_ONCE = 500

export function createEventQueue(soon: (run: () => void) => void): EventQueue {
  const happened = createSignal<readonly Event[]>()
  const missed = createSignal<void>()
  const resumed = createSignal<void>()
  let waiting: Event[] = []
  let planned = false

  function plan(): void {
    if (planned || waiting.length === 0) return
    planned = true
    soon(() => {
      planned = false
      const events = waiting.slice(0, MOST_AT_ONCE)
      waiting = waiting.slice(MOST_AT_ONCE)
      happened.emit(events)
      plan()
    })
  }

  return {
    push(event) {
      waiting.push(event)
      plan()
    },
    gap() {
      waiting = []
      missed.emit()
    },
    onEvents: happened.subscribe,
    resume: resumed.emit,
    onGap: missed.subscribe,
    onResume: resumed.subscribe,
  }
}
