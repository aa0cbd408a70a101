import { computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { Event, Fault } from '../../../spec/generated/control-types.ts'
import { createTimelineFeed, type TimelineFeed } from '../data/timeline-feed.ts'
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
import { followClock, type SandboxClock } from './sandbox-clock.ts'

/** The state and the actions of the page. All lists show the chosen instant. */
export interface App extends Pick<Connection, 'stream' | 'open' | 'useToken'>, EventFeed, SandboxPlace {
  readonly perform: Perform
  readonly ports: PagePorts
  readonly clock: SandboxClock
  readonly rewind: Rewind
  readonly faults: Listing<readonly Fault[]>
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
/** More positions of the slider than pixels. */
const MOST_STEPS = 2_000

/** Creates the state of the page. `open()` starts following the sandbox. */
export function createApp(ports: PagePorts, through: HttpCall): App {
  const connection = createConnection(ports, through)
  const performNow: Perform = (id, ...input) => connection.performAt(undefined)(id, ...input)
  const perform: Perform = (id, ...input) => connection.performAt(rewind.at.peek())(id, ...input)
  const place = createSandboxPlace(connection, performNow, ports)
  const notices = createNotices(ports.after, place)
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
  followAddress({ ports, useToken: connection.useToken, rewind }, route, overlay)
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
    clock: followClock(connection, () => performNow('getClock'), { ...ports, onError }),
    recent: followRecent(connection),
    keys: createKeys(),
    selection: signal<Selection>({}),
    timeline: createTimelineFeed({ ...rewind.feed, perform, soon: ports.soon, onError }),
    faults: createListing(rewind.feed, {
      load: async () => (await perform('listFaults')).faults,
      types: ['fault', 'fault_removed', 'world'],
      onError,
    }),
    ...createLinks(route, rewind, ports),
    show(next) {
      overlay.value = next
    },
    run: createRun(notices),
  }
}

/** Shows the screen of the address, and the instant in it. */
function followAddress(
  { ports, useToken, rewind }: Pick<App, 'ports' | 'useToken' | 'rewind'>,
  route: Signal<Route>,
  overlay: Signal<Overlay | undefined>,
): void {
  ports.onHash(() => {
    // A start prints an address with a token, and this tab opened it.
    if (ports.hash().startsWith('#token=')) useToken(ports.takeToken())
    route.value = parseRoute(ports.hash())
    overlay.value = undefined
    rewind.to(route.value.at)
  })
}

function createLinks(
  route: Signal<Route>,
  rewind: Rewind,
  ports: PagePorts,
): Pick<App, 'link' | 'go' | 'replace' | 'leave'> {
  let [before, shown] = [HOME, HOME]
  effect(() => {
    if (route.value.screen !== shown.screen) before = shown
    shown = route.value
  })
  const link = (next: Route) => formatRoute({ at: rewind.at.value, ...next })
  return {
    link,
    go: (next) => ports.setHash(link(next)),
    replace(next) {
      ports.replaceHash(link(next))
      route.value = next
    },
    leave: () => ports.setHash(link(before)),
  }
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

function followRecent({ onEvents }: Connection): ReadonlySignal<readonly Event[]> {
  const recent = signal<readonly Event[]>([])
  onEvents((events) => {
    recent.value = [...events.toReversed(), ...recent.value].slice(0, MOST_RECENT)
  })
  return recent
}
