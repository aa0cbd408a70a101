import { signal, type ReadonlySignal } from '@preact/signals'
import type { Event } from '../../../spec/generated/control-types.ts'

/** A short list of the sandbox that is listed again when something happens to it. */
export interface Listing<Rows> {
  /** Undefined until it was listed. */
  readonly rows: ReadonlySignal<Rows | undefined>
  /** Lists it again; resolves once what is shown is not older than this call. */
  refresh(): Promise<void>
  /** Ends it. */
  close(): void
}

/** Where changes are heard of. */
export interface EventFeed {
  /** Calls the listener with what happened, some events at a time; returns the way to end it. */
  onEvents(listener: (events: readonly Event[]) => void): () => void
  /** Calls the listener when everything has to be listed again. */
  onGap(listener: () => void): () => void
  /** Calls the listener when the sandbox can be asked again after a cut: what could not be listed can be now. */
  onResume(listener: () => void): () => void
}

export interface ListingOptions<Rows> {
  readonly load: () => Promise<Rows>
  /** The types of events that change it. */
  readonly types: readonly Event['type'][]
  readonly onError: (error: unknown) => void
}

/** While one listing is under way, further wishes come to one more. */
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
