import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals'
import type { History } from '../../../spec/generated/control-types.ts'
import { createSignal } from '../../engine/core/signal.ts'
import type { EventSubscription, News } from '../data/listing.ts'
import type { Notices } from './notices.ts'
import type { PagePorts } from './page-ports.ts'
import { formatRoute, parseRoute, type Route } from './route.ts'

interface RewindPorts extends EventSubscription {
  readonly at: number | undefined
  readonly isLive: ReadonlySignal<boolean>
  readonly load: () => Promise<History>
  readonly onError: (error: unknown) => void
}

export type Rewind = ReturnType<typeof createRewind>

export function createRewind({ isLive, load, onError, ...ports }: RewindPorts) {
  /** The chosen time, in milliseconds since the Unix epoch. Undefined means the present. */
  const at = signal(ports.at)
  /** The range of times that can be chosen. Undefined until the range is first loaded. */
  const history = signal<History | undefined>(undefined)
  const { emit, subscribe } = createSignal<News>()
  const isPast = computed(() => at.value !== undefined)

  function keep(loaded: History): void {
    history.value = loaded
    const end = Date.parse(loaded.ends_at)
    // Limits the time to the end of the history. A link can contain a later time from another run of the sandbox.
    if ((at.peek() ?? 0) > end) at.value = end
  }

  effect(() => {
    if (isPast.value && isLive.value) untracked(() => void load().then(keep, onError))
  })
  effect(() => {
    void at.value
    untracked(() => emit('gap'))
  })
  ports.subscribe((news) => {
    if (news === 'gap' || !isPast.peek()) emit(news)
  })
  return {
    at,
    isPast,
    history,
    to(instant: number | undefined) {
      at.value = instant
    },
    /** Reports a gap when the chosen time changes. Reports no events for a past time, because the past does not change. */
    feed: { subscribe },
  }
}

/** The delay in milliseconds after which the address follows the slider. Browsers limit the rate of address changes. */
const REST_MS = 300

/** Stores the chosen time in the address. Adds an entry to the browser history only when the user enters or leaves the past. */
export function keepInAddress(
  { at }: Rewind,
  route: ReadonlySignal<Route>,
  { hash, setHash, replaceHash, after }: PagePorts,
): void {
  let cancel = () => {}
  effect(() => {
    const instant = at.value
    cancel()
    const shown = parseRoute(hash()).at
    const write = (put: (hash: string) => void) => put(formatRoute({ ...route.peek(), at: instant }))
    if ((shown === undefined) !== (instant === undefined)) untracked(() => write(setHash))
    else if (shown !== instant) cancel = after(REST_MS, () => write(replaceHash))
  })
}

/** Returns to the present after a reset or restore, because the history is gone. */
export function leaveOtherWorld({ subscribe }: EventSubscription, { at, to }: Rewind, { say }: Notices) {
  subscribe((news) => {
    if (at.peek() === undefined || news === 'gap' || !news.some(({ type }) => type === 'world')) return
    to(undefined)
    say('done', 'Back to now, because the sandbox was reset or restored')
  })
}
