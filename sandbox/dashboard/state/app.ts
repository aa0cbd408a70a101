import { computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { Event, Fault, WorldUse } from '../../../spec/generated/control-types.ts'
import type { TimelineFeed } from '../data/timeline-feed.ts'
import type { HttpCall } from '../../client/http-call.ts'
import type { Perform } from '../../compose/perform.ts'
import { createConnection, type Connection } from './connection.ts'
import { createKeys, type Keys } from './keys.ts'
import { createListing, type EventFeed, type Listing } from './listing.ts'
import { createNotices, type Notices } from './notices.ts'
import type { PagePorts } from './page-ports.ts'
import { createRewind, keepInAddress, leaveOtherWorld, type Rewind } from './rewind.ts'
import { formatRoute, HOME, parseRoute, type Route } from './route.ts'
import { createSandboxPlace, type SandboxPlace } from './sandbox-place.ts'
import { createShownTimeline } from './shown-timeline.ts'
import { createSandboxClock, type SandboxClock } from './sandbox-clock.ts'

/** All that the screens are functions of, and all that they can have done. What is listed is as of the instant that is looked at. */
export interface App extends Pick<Connection, 'stream' | 'open' | 'useToken'>, EventFeed, SandboxPlace {
  readonly perform: Perform
  readonly ports: PagePorts
  readonly clock: SandboxClock
  readonly rewind: Rewind
  readonly faults: Listing<readonly Fault[]>
  /** The run that uses the world at present; null if there is none. */
  readonly worldUse: Listing<WorldUse | null>
  /** What happened last, newest first. */
  readonly recent: ReadonlySignal<readonly Event[]>
  readonly timeline: TimelineFeed
  readonly notices: Notices
  readonly keys: Keys
  readonly route: ReadonlySignal<Route>
  /** Both stay at the instant that is looked at. */
  go(route: Route): void
  link(route: Route): string
  /** The same screen under another address, which takes the place of the present one. */
  replace(route: Route): void
  /** Back to what was shown before the screen. */
  leave(): void
  /** What the screen is about at present, for what can be done with it from anywhere. */
  readonly selection: Signal<Selection>
  /** What lies over the screen; undefined for nothing. */
  readonly overlay: ReadonlySignal<Overlay | undefined>
  show(overlay: Overlay | undefined): void
  /** Does something and says what came of it, if `done` has words for it, or why it was refused. */
  run<Reply>(act: () => Promise<Reply>, done?: (reply: Reply) => string): Promise<Reply | undefined>
}

/** The palette may begin with a command that is begun already, such as `faults add`. */
export type Overlay =
  { readonly kind: 'help' | 'fault' } | { readonly kind: 'palette'; readonly query?: string }

export interface Selection {
  readonly jobId?: string | undefined
  readonly paymentId?: string | undefined
}

const MOST_RECENT = 200
const [TICK_MS, USE_MS] = [250, 3_000]
/** How many positions the slider has: more than it has pixels. */
const MOST_STEPS = 2_000

/** The state of the page, which follows the sandbox once `open()` is called. */
export function createApp(ports: PagePorts, through: HttpCall): App {
  const connection = createConnection(ports, through)
  const performNow: Perform = (id, ...input) => connection.performAt(undefined)(id, ...input)
  const perform: Perform = (id, ...input) => connection.performAt(rewind.at.peek())(id, ...input)
  const place = createSandboxPlace(connection, performNow, ports)
  const notices = createNotices(ports.after, place.target)
  const onError = notices.sayError
  const route = signal(parseRoute(ports.hash()))
  const overlay = signal<Overlay | undefined>(undefined)
  const rewind = createRewind({
    ...connection,
    at: route.peek().at,
    isLive: computed(() => connection.stream.value.kind === 'live'),
    load: () => performNow('getHistory', { query: { steps: MOST_STEPS } }),
    onError,
  })
  const link = (next: Route) => formatRoute({ at: rewind.at.value, ...next })
  followAddress({ ...connection, rewind, route, overlay }, ports)
  keepInAddress({ rewind, route }, ports)
  leaveOtherWorld(connection, rewind, notices)
  return {
    ...connection,
    ...rewind.feed,
    perform,
    ...place,
    ports,
    notices,
    route,
    overlay,
    rewind,
    link,
    clock: followClock(connection, performNow, { notices, ports }),
    recent: followRecent(connection),
    keys: createKeys(),
    selection: signal<Selection>({}),
    timeline: createShownTimeline(connection, { perform, performNow, rewind, soon: ports.soon, onError }),
    faults: createListing(rewind.feed, {
      load: async () => (await perform('listFaults')).faults,
      types: ['fault', 'fault_removed', 'world'],
      onError,
    }),
    worldUse: followWorldUse(connection, performNow, ports),
    go: (next) => ports.setHash(link(next)),
    ...createLeave(route, { ports, link }),
    show(next) {
      overlay.value = next
    },
    run: createRun(notices),
  }
}

interface ClockPorts {
  readonly notices: Notices
  readonly ports: PagePorts
}

interface Addressed extends Pick<App, 'useToken' | 'rewind'> {
  readonly route: Signal<Route>
  readonly overlay: Signal<Overlay | undefined>
}

function followAddress({ useToken, rewind, route, overlay }: Addressed, ports: PagePorts): void {
  ports.onHash(() => {
    // An address with a token, such as a new start prints, was opened in this very tab.
    if (ports.hash().startsWith('#token=')) useToken(ports.takeToken())
    route.value = parseRoute(ports.hash())
    overlay.value = undefined
    rewind.to(route.value.at)
  })
}

interface LeavePorts {
  readonly ports: PagePorts
  readonly link: App['link']
}

function createLeave(route: Signal<Route>, { ports, link }: LeavePorts): Pick<App, 'replace' | 'leave'> {
  let [before, shown] = [HOME, HOME]
  effect(() => {
    if (route.value.screen !== shown.screen) before = shown
    shown = route.value
  })
  return {
    replace(next) {
      ports.replaceHash(link(next))
      route.value = next
    },
    leave: () => ports.setHash(link(before)),
  }
}

/** The end of a run from elsewhere is no event, so it is asked for as long as there is one. */
function followWorldUse(feed: EventFeed, perform: Perform, { every }: PagePorts): App['worldUse'] {
  const listing = createListing<WorldUse | null>(feed, {
    load: async () => (await perform('getSandbox')).used_by,
    types: ['run', 'world'],
    onError: () => {},
  })
  every(USE_MS, () => {
    if (listing.rows.peek()) void listing.refresh()
  })
  return listing
}

function createRun({ say, sayError }: Notices): App['run'] {
  return async (act, done) => {
    try {
      const reply = await act()
      if (done) say('done', done(reply))
      return reply
    } catch (error) {
      sayError(error)
      return undefined
    }
  }
}

function followClock(
  { onGap, onEvents }: Connection,
  perform: Perform,
  { notices: { sayError }, ports: { elapsed, every } }: ClockPorts,
): SandboxClock {
  const clock = createSandboxClock(elapsed)
  const read = () => void perform('getClock').then(clock.set, sayError)
  every(TICK_MS, clock.tick)
  onGap(read)
  onEvents((events) => {
    clock.atLeast(Math.max(...events.map(({ at }) => Date.parse(at))))
    if (events.some(({ type }) => type === 'clock' || type === 'world')) read()
  })
  return clock
}

function followRecent({ onEvents }: Connection): ReadonlySignal<readonly Event[]> {
  const recent = signal<readonly Event[]>([])
  onEvents((events) => {
    recent.value = [...events.toReversed(), ...recent.value].slice(0, MOST_RECENT)
  })
  return recent
}
