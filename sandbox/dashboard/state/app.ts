import { signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { Event, Fault } from '../../../spec/generated/control-types.ts'
import { createTimelineFeed, type TimelineFeed } from '../data/timeline-feed.ts'
import type { HttpCall } from '../../client/http-call.ts'
import { createConnection, type Connection } from './connection.ts'
import { createKeys, type Keys } from './keys.ts'
import { createListing, type Listing } from './listing.ts'
import { createNotices, type Notices } from './notices.ts'
import type { PagePorts } from './page-ports.ts'
import { formatRoute, parseRoute, type Route } from './route.ts'
import { createSandboxClock, type SandboxClock } from './sandbox-clock.ts'

/** All that the screens are functions of, and all that they can have done. */
export interface App extends Connection {
  readonly ports: PagePorts
  readonly clock: SandboxClock
  readonly faults: Listing<readonly Fault[]>
  /** What happened last, newest first. */
  readonly recent: ReadonlySignal<readonly Event[]>
  readonly timeline: TimelineFeed
  readonly notices: Notices
  readonly keys: Keys
  readonly route: ReadonlySignal<Route>
  go(route: Route): void
  /** What the screen is about at present, for what can be done with it from anywhere. */
  readonly selection: Signal<Selection>
  /** What lies over the screen; undefined for nothing. */
  readonly overlay: ReadonlySignal<Overlay | undefined>
  show(overlay: Overlay | undefined): void
  /** Does something and says what came of it, if `done` has words for it, or why it was refused. */
  run<Reply>(act: () => Promise<Reply>, done?: (reply: Reply) => string): Promise<Reply | undefined>
}

/** The palette may begin with a command that is begun already, such as `faults add`. */
export type Overlay = { readonly kind: 'help' } | { readonly kind: 'palette'; readonly query?: string }

export interface Selection {
  readonly jobId?: string | undefined
  readonly paymentId?: string | undefined
}

const MOST_RECENT = 200
const TICK_MS = 250

/** The state of the page, which follows the sandbox once `open()` is called. */
export function createApp(ports: PagePorts, through: HttpCall): App {
  const connection = createConnection(ports, through)
  const { perform } = connection
  const notices = createNotices(ports.after)
  const route = signal(parseRoute(ports.hash()))
  const overlay = signal<Overlay | undefined>(undefined)
  ports.onHash(() => {
    // An address with a token, such as a new start prints, was opened in this very tab.
    if (ports.hash().startsWith('#token=')) connection.useToken(ports.takeToken())
    route.value = parseRoute(ports.hash())
    overlay.value = undefined
  })
  return {
    ...connection,
    ports,
    notices,
    route,
    overlay,
    clock: followClock(connection, notices, ports),
    recent: followRecent(connection),
    keys: createKeys(),
    selection: signal<Selection>({}),
    timeline: createTimelineFeed({ ...connection, soon: ports.soon, onError: notices.sayError }),
    faults: createListing(connection, {
      load: async () => (await perform('listFaults')).faults,
      types: ['fault', 'fault_removed', 'world'],
      onError: notices.sayError,
    }),
    go: (next) => ports.setHash(formatRoute(next)),
    show(next) {
      overlay.value = next
    },
    async run(act, done) {
      try {
        const reply = await act()
        if (done) notices.say('done', done(reply))
        return reply
      } catch (error) {
        notices.sayError(error)
        return undefined
      }
    },
  }
}

function followClock(
  { perform, onGap, onEvents }: Connection,
  { sayError }: Notices,
  { elapsed, every }: PagePorts,
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
