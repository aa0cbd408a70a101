import { signal } from '@preact/signals'
import type { Event } from '../../../spec/generated/control-types.ts'
import type { ControlAddress } from '../../client/control-address.ts'
import { createControlClient } from '../../client/control-client.ts'
import { followStream, type FollowPorts } from '../../client/event-stream.ts'
import type { HttpCall } from '../../client/http-call.ts'
import { createSignal } from '../../engine/core/signal.ts'
import type { News } from '../data/listing.ts'
import type { PagePorts } from './page-ports.ts'

/** `cut`: reconnects automatically. `refused`: the token was rejected. `no-world`: the page address names an unknown world. */
export type StreamState = 'no-token' | 'connecting' | 'live' | 'cut' | 'refused' | 'no-world'

/** Creates the client for the control API and the events. Call `open` to start the event stream. */
export function createConnection(ports: PagePorts, through: HttpCall) {
  let token = ports.takeToken()
  let following = new AbortController()
  const stream = signal<StreamState>(token === '' ? 'no-token' : 'connecting')
  const { push, gap, subscribe } = createEventQueue(ports.soon)
  // `hurry` reconnects immediately. `hurry` is called when the network is available again or the user returns to the page.
  let hurry = () => {}
  ports.onReturn(() => hurry())
  const after: PagePorts['after'] = (delayMs, run) => ports.after(delayMs, (hurry = run))
  const address = () => ({ url: ports.origin, token, world: ports.world })

  function open(): void {
    if (token === '') return
    following.abort()
    following = new AbortController()
    void followSandbox(
      address(),
      { callTo: () => through, after, signal: following.signal },
      { onState: (state) => (stream.value = state), onGap: gap, onEvent: push },
    )
  }

  return {
    stream,
    subscribe,
    open,
    /** Returns a control API client that shows the world at the given time. Undefined means the present. */
    performAt(at: number | undefined) {
      const instant = at === undefined ? undefined : new Date(at).toISOString()
      return createControlClient(address(), { through, at: instant })
    },
    useToken(given: string) {
      token = given
      ports.keepToken(given)
      open()
    },
  }
}

interface FollowHandlers {
  readonly onState: (state: StreamState) => void
  readonly onGap: () => void
  readonly onEvent: (event: Event) => void
}

/** Follows the events. Calls `onGap` after a new connection, after missed events and after a world replacement. */
export async function followSandbox(
  address: ControlAddress,
  { signal: ended, ...ports }: FollowPorts & { readonly signal: AbortSignal },
  { onState, onGap, onEvent }: FollowHandlers,
): Promise<void> {
  let isLive = false
  onState('connecting')
  for await (const step of followStream(() => address, { signal: ended }, ports)) {
    if (step.kind === 'cut') {
      // 403 means that the token belongs to another world.
      if (step.status === 401 || step.status === 403) return onState('refused')
      if (step.status === 404 && address.world !== undefined) return onState('no-world')
      isLive = false
      onState('cut')
      continue
    }
    const { event } = step
    if (!isLive) onState('live')
    if (!isLive || event?.type === 'gap' || event?.type === 'world') onGap()
    if (event && event.type !== 'gap') onEvent(event)
    isLive = true
  }
}

const MAX_AT_ONCE = 500

/** Queues events and passes on at most 500 events in each animation frame. A gap clears the queue. */
export function createEventQueue(soon: PagePorts['soon']) {
  const { emit, subscribe } = createSignal<News>()
  let waiting: Event[] = []
  let isPlanned = false

  function plan(): void {
    if (isPlanned || waiting.length === 0) return
    isPlanned = true
    soon(() => {
      isPlanned = false
      const events = waiting.splice(0, MAX_AT_ONCE)
      if (events.length > 0) emit(events)
      plan()
    })
  }

  return {
    subscribe,
    push(event: Event) {
      waiting.push(event)
      plan()
    },
    gap() {
      waiting = []
      emit('gap')
    },
  }
}
