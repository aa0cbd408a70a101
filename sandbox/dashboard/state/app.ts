import { computed, effect, signal, type Signal } from '@preact/signals'
import { createTimelineFeed } from '../data/timeline-feed.ts'
import type { HttpCall } from '../../client/http-call.ts'
import type { Perform } from '../../compose/perform.ts'
import { createConnection } from './connection.ts'
import { createKeys } from './keys.ts'
import { createListing } from '../data/listing.ts'
import { createNotices, type Notices } from './notices.ts'
import type { PagePorts } from './page-ports.ts'
import { createRewind, keepInAddress, leaveOtherWorld, type Rewind } from './rewind.ts'
import { formatRoute, HOME, parseRoute, type Route } from './route.ts'
import { createSandboxPlace } from './sandbox-place.ts'
import { followClock } from './sandbox-clock.ts'

/** The open overlay. `query` is the initial text of the palette. */
type Overlay = { readonly kind: 'help' } | { readonly kind: 'palette'; readonly query?: string }

export interface Selection {
  readonly jobId?: string | undefined
  readonly paymentId?: string | undefined
}

/** The maximum number of positions of the time slider. More would not help: the slider is fewer pixels wide. */
const MAX_STEPS = 2_000

export type App = ReturnType<typeof createDashboardApp>

/** Creates the state and the actions of the page. All lists show the world at the chosen time. */
export function createDashboardApp(ports: PagePorts, through: HttpCall) {
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
    isLive: computed(() => connection.stream.value === 'live'),
    load: () => performNow('getHistory', { query: { steps: MAX_STEPS } }),
    onError,
  })
  ports.onHash(() => {
    // Takes the token from an address with `#token=`, which the sandbox prints when it starts.
    if (ports.hash().startsWith('#token=')) connection.useToken(ports.takeToken())
    route.value = parseRoute(ports.hash())
    overlay.value = undefined
    notices.list.value = notices.list.value.filter(({ kind }) => kind === 'done')
    rewind.to(route.value.at)
  })
  keepInAddress(rewind, route, ports)
  leaveOtherWorld(connection, rewind, notices)
  return {
    ...connection,
    ...rewind.feed,
    ...place,
    ...createLinks(route, rewind, ports),
    perform,
    ports,
    notices,
    run: createRun(notices),
    route,
    rewind,
    overlay,
    show: (next: Overlay | undefined) => (overlay.value = next),
    clock: followClock(connection, { ...ports, load: () => performNow('getClock'), onError }),
    keys: createKeys(),
    commands: createListing({ subscribe: () => () => {} }, { load: ports.commands, types: [], onError }),
    selection: signal<Selection>({}),
    timeline: createTimelineFeed(rewind.feed, { perform, soon: ports.soon, onError }),
    faults: createListing(rewind.feed, {
      load: () => perform('listFaults'),
      types: ['fault', 'fault_removed'],
      onError,
    }),
  }
}

/** Creates the functions that change the address. The address keeps the chosen time, unless the new route contains another time. */
function createLinks(route: Signal<Route>, rewind: Rewind, ports: PagePorts) {
  let [before, shown] = [HOME, HOME]
  effect(() => {
    if (route.value.screen !== shown.screen) before = shown
    shown = route.value
  })
  const link = (next: Route) => formatRoute({ at: rewind.at.value, ...next })
  return {
    link,
    go: (next: Route) => ports.setHash(link(next)),
    /** Changes the route without a new entry in the browser history. */
    replace(next: Route) {
      ports.replaceHash(link(next))
      route.value = next
    },
    leave: () => ports.setHash(link(before)),
  }
}

function createRun({ say, sayError }: Notices) {
  return async <Reply>(
    act: () => Promise<Reply>,
    done?: (reply: Reply) => string,
  ): Promise<Reply | undefined> => {
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
