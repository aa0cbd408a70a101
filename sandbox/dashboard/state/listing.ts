import { signal, type ReadonlySignal } from '@preact/signals'
import type { Event } from '../../../spec/generated/control-types.ts'

/** A short list that reloads after events. */
export interface Listing<Rows> {
  /** Undefined before the first load. */
  readonly rows: ReadonlySignal<Rows | undefined>
  /** Reloads. Resolves once the rows are at least as new as this call. */
  refresh(): Promise<void>
  close(): void
}

export interface EventFeed {
  /** Calls the listener with new events. Returns the function that ends it. */
  onEvents(listener: (events: readonly Event[]) => void): () => void
  /** Calls the listener when everything must be listed again. */
  onGap(listener: () => void): () => void
  /** Calls the listener when the sandbox is reachable again. */
  onResume(listener: () => void): () => void
}

export interface ListingOptions<Rows> {
  readonly load: () => Promise<Rows>
  /** The event types that change the list. */
  readonly types: readonly Event['type'][]
  readonly onError: (error: unknown) => void
}

/** Creates a list. Wishes during a load cause one more load. */
export function createListing<Rows>(feed: EventFeed, options: ListingOptions<Rows>): Listing<Rows> {
  const { load, types, onError } = options
  const rows = signal<Rows | undefined>(undefined)
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let failed = false

  async function list(): Promise<void> {
    try {
      rows.value = await load()
      failed = false
    } catch (error) {
      failed = true
      onError(error)
    }
  }

  function refresh(): Promise<void> {
    if (running === undefined) {
      running = list().finally(() => (running = undefined))
      return running
    }
    next ??= running.then(() => {
      next = undefined
      return refresh()
    })
    return next
  }

  const ends = [
    feed.onGap(() => void refresh()),
    feed.onResume(() => {
      if (failed) void refresh()
    }),
    feed.onEvents((events) => {
      if (events.some(({ type }) => types.includes(type))) void refresh()
    }),
  ]
  return { rows, refresh, close: () => ends.forEach((end) => end()) }
}
