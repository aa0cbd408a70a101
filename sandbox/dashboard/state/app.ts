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

/** The state and the actions of the page. All lists show the chosen instant. */
export interface App extends Pick<Connection, 'stream' | 'open' | 'useToken'>, EventFeed, SandboxPlace {
  readonly perform: Perform
  readonly ports: PagePorts
  readonly clock: SandboxClock
  readonly rewind: Rewind
  readonly faults: Listing<readonly Fault[]>
  /** The run that uses the world. Null without one. */
  readonly worldUse: Listing<WorldUse | null>
  /** The newest events first. */
  readonly recent: ReadonlySignal<readonly Event[]>
  readonly timeline: TimelineFeed
  readonly notices: Notices
  readonly keys: Keys
  readonly route: ReadonlySignal<Route>
  /** Both keep the chosen instant. */
  go(route: Route): void
  link(route: Route): string
  /** Changes the address without a step in the history. */
  replace(route: Route): void
  /** Returns to the screen before. */
  leave(): void
  /** The chosen delivery and payment. */
  readonly selection: Signal<Selection>
  readonly overlay: ReadonlySignal<Overlay | undefined>
  show(overlay: Overlay | undefined): void
  /** Runs an action and shows its success, if `done` has a text, or its error. */
  run<Reply>(act: () => Promise<Reply>, done?: (reply: Reply) => string): Promise<Reply | undefined>
}

/** The palette may begin with a command, such as `faults add`. */
export type Overlay =
  { readonly kind: 'help' | 'fault' } | { readonly kind: 'palette'; readonly query?: string }

export interface Selection {
  readonly jobId?: string | undefined
  readonly paymentId?: string | undefined
}

const MOST_RECENT = 200
const [TICK_MS, USE_MS] = [250, 3_000]
/** More positions of the slider than pixels. */
const MOST_STEPS = 2_000

/** Creates the state of the page. `open()` starts following the sandbox. */
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
    // A start prints an address with a token, and this tab opened it.
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

/** The end of another program's run is not an event, so the page polls during a run. */
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
