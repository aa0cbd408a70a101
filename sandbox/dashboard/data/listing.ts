import { signal } from '@preact/signals'
import type { Event } from '../../../spec/generated/control-types.ts'

/** New events, or `gap` if events were missed. After a gap, all data must be loaded again. */
export type News = readonly Event[] | 'gap'

export interface EventSubscription {
  subscribe(listener: (news: News) => void): () => void
}

/** Creates a function that runs `act`. A call during a run triggers one more run. `isOver` returns true after a newer call. */
export function createRepetition(act: (isOver: () => boolean) => Promise<void>): () => void {
  let [isUnderWay, wishes] = [false, 0]

  async function run(): Promise<void> {
    isUnderWay = true
    for (let done = 0; done !== wishes;) {
      const wish = wishes
      await act(() => wish !== wishes)
      done = wish
    }
    isUnderWay = false
  }

  return () => {
    wishes++
    if (!isUnderWay) void run()
  }
}

export interface ListingOptions<Rows> {
  readonly load: () => Promise<Rows>
  readonly types: readonly Event['type'][]
  readonly onError: (error: unknown) => void
}

/** Creates a short list that reloads after events of the given types. Events during a load trigger another load. */
export function createListing<Rows>(feed: EventSubscription, { load, types, onError }: ListingOptions<Rows>) {
  /** The rows of the list. Undefined until the list is first loaded. */
  const rows = signal<Rows | undefined>(undefined)
  const refresh = createRepetition(async () => {
    try {
      rows.value = await load()
    } catch (error) {
      onError(error)
    }
  })
  const close = feed.subscribe((news) => {
    if (news === 'gap' || news.some(({ type }) => types.includes(type))) refresh()
  })
  return { rows, refresh, close }
}
