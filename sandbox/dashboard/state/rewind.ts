import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals'
import type { History } from '../../../spec/generated/control-types.ts'
import { createSignal } from '../../engine/core/signal.ts'
import type { EventFeed } from './listing.ts'
import type { Notices } from './notices.ts'
import type { PagePorts } from './page-ports.ts'
import { formatRoute, parseRoute, type Route } from './route.ts'

/** The chosen instant of the world. */
export interface Rewind {
  /** Epoch milliseconds. Undefined for now. */
  readonly at: ReadonlySignal<number | undefined>
  /** The range of instants. Undefined before the first load. */
  readonly history: ReadonlySignal<History | undefined>
  to(at: number | undefined): void
  /** Events that change the chosen view. The past does not change. */
  readonly feed: EventFeed
}

export interface RewindPorts extends EventFeed {
  readonly at: number | undefined
  readonly isLive: ReadonlySignal<boolean>
  readonly load: () => Promise<History>
  readonly onError: (error: unknown) => void
}

export function createRewind({ isLive, load, onError, ...ports }: RewindPorts): Rewind {
  const at = signal(ports.at)
  const history = signal<History | undefined>(undefined)
  const moved = createSignal<void>()
  const isRewound = computed(() => at.value !== undefined)

  async function look(): Promise<void> {
    try {
      const loaded = await load()
      history.value = loaded
      const end = Date.parse(loaded.ends_at)
      // A link may come from another run with a later clock.
      if ((at.peek() ?? 0) > end) at.value = end
    } catch (error) {
      onError(error)
    }
  }

  effect(() => {
    if (isRewound.value && isLive.value) untracked(() => void look())
  })
  effect(() => {
    void at.value
    untracked(() => moved.emit())
  })
  return {
    at,
    history,
    to(instant) {
      at.value = instant
    },
    feed: {
      onEvents: (listener) =>
        ports.onEvents((events) => {
          if (!isRewound.peek()) listener(events)
        }),
      onGap(listener) {
        const ends = [ports.onGap(listener), moved.subscribe(listener)]
        return () => ends.forEach((end) => end())
      },
      onResume: ports.onResume,
    },
  }
}

/** The address follows the slider with a delay, because browsers limit address changes. */
const REST_MS = 300

/** Keeps the instant in the address. Entering and leaving the past is one history step each. */
export function keepInAddress(
  { rewind, route }: { readonly rewind: Rewind; readonly route: ReadonlySignal<Route> },
  { hash, setHash, replaceHash, after }: PagePorts,
): void {
  let cancel = () => {}
  effect(() => {
    const at = rewind.at.value
    cancel()
    const shown = parseRoute(hash()).at
    const write = (put: (hash: string) => void) => put(formatRoute({ ...route.peek(), at }))
    if ((shown === undefined) !== (at === undefined)) untracked(() => write(setHash))
    else if (shown !== at) cancel = after(REST_MS, () => write(replaceHash))
  })
}

/** Returns to now after a reset or restore, because the old past is gone. */
export function leaveOtherWorld({ onEvents }: EventFeed, { at, to }: Rewind, { say }: Notices): void {
  onEvents((events) => {
    if (at.peek() === undefined || !events.some(({ type }) => type === 'world')) return
    to(undefined)
    say('done', 'Back to now: the sandbox was reset or restored, and has another past')
  })
}
