import { signal, type ReadonlySignal } from '@preact/signals'
import type { Event } from '../../../spec/generated/control-types.ts'
import type { ControlAddress } from '../../client/control-address.ts'
import { createControlClient } from '../../client/control-client.ts'
import { followStream, type FollowPorts } from '../../client/event-stream.ts'
import type { HttpCall } from '../../client/http-call.ts'
import type { Perform } from '../../compose/perform.ts'
import { createSignal } from '../../engine/core/signal.ts'
import type { EventFeed } from './listing.ts'
import type { PagePorts } from './page-ports.ts'

/** The control API and the events of the sandbox. */
export interface Connection extends EventFeed {
  /** Returns the control API at an instant. */
  performAt(at: number | undefined): Perform
  readonly stream: ReadonlySignal<StreamState>
  /** Starts to follow events. */
  open(): void
  /** Replaces the token. */
  useToken(token: string): void
}

export function createConnection(ports: PagePorts, through: HttpCall): Connection {
  let token = ports.takeToken()
  const stream = signal<StreamState>(
    token === '' ? { kind: 'refused', given: false } : { kind: 'connecting' },
  )
  const { push, gap, resume, ...feed } = createEventQueue(ports.soon)
  // Retries at once when the network or the reader is back.
  let hurry = () => {}
  ports.onReturn(() => hurry())
  const after: PagePorts['after'] = (delayMs, run) => ports.after(delayMs, (hurry = run))

  const address = () => ({ url: ports.origin, token, world: ports.world })
  let following = new AbortController()

  function open(): void {
    if (token === '') return
    following.abort()
    following = new AbortController()
    void followSandbox(
      address(),
      { callTo: () => through, after, signal: following.signal },
      {
        onState(state) {
          const wasCut = stream.value.kind === 'cut'
          stream.value = state
          if (wasCut && state.kind === 'live') resume()
        },
        onGap: gap,
        onEvent(event) {
          if (event.type === 'world') gap()
          push(event)
        },
      },
    )
  }

  return {
    performAt(at) {
      const instant = at === undefined ? undefined : new Date(at).toISOString()
      return createControlClient(address(), { through, at: instant })
    },
    stream,
    ...feed,
    open,
    useToken(given) {
      token = given
      ports.keepToken(given)
      open()
    },
  }
}

/** The state of the event stream. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The stream was cut. The next attempt comes after `retryMs`. */
  | { readonly kind: 'cut'; readonly retryMs: number }
  /** The token is missing or rejected. */
  | { readonly kind: 'refused'; readonly given: boolean }
  /** The sandbox does not have the world of the address. */
  | { readonly kind: 'no-world' }

/**
 * Follows the events until the token is rejected, the world is gone or the signal is aborted. A gap means
 * that events were missed, as after a restart. The first connection counts as a gap, so listing begins after
 * the stream is live.
 */
export async function followSandbox(
  address: ControlAddress,
  { signal: ended, ...ports }: FollowPorts & { readonly signal: AbortSignal },
  {
    onState,
    onGap,
    onEvent,
  }: {
    readonly onState: (state: StreamState) => void
    readonly onGap: () => void
    readonly onEvent: (event: Event) => void
  },
): Promise<void> {
  let [isFirst, isLive] = [true, false]
  onState({ kind: 'connecting' })
  for await (const step of followStream(() => address, { signal: ended }, ports)) {
    if (step.kind === 'block') {
      if (!isLive) onState({ kind: 'live' })
      if (isFirst || step.event?.type === 'gap') onGap()
      if (step.event && step.event.type !== 'gap') onEvent(step.event)
      ;[isFirst, isLive] = [false, true]
      continue
    }
    // 403 is the token of another world.
    if (step.status === 401 || step.status === 403) return onState({ kind: 'refused', given: true })
    if (step.status === 404 && address.world !== undefined) return onState({ kind: 'no-world' })
    isLive = false
    onState({ kind: 'cut', retryMs: step.retryMs })
  }
}

const MOST_AT_ONCE = 500

/** Collects events and emits them once per frame, up to 500 at a time. A gap drops the waiting events. */
export function createEventQueue(soon: PagePorts['soon']) {
  const happened = createSignal<readonly Event[]>()
  const missed = createSignal<void>()
  const resumed = createSignal<void>()
  let waiting: Event[] = []
  let planned = false

  function plan(): void {
    if (planned || waiting.length === 0) return
    planned = true
    soon(() => {
      planned = false
      const events = waiting.slice(0, MOST_AT_ONCE)
      waiting = waiting.slice(MOST_AT_ONCE)
      happened.emit(events)
      plan()
    })
  }

  return {
    push(event: Event) {
      waiting.push(event)
      plan()
    },
    gap() {
      waiting = []
      missed.emit()
    },
    onEvents: happened.subscribe,
    resume: resumed.emit,
    onGap: missed.subscribe,
    onResume: resumed.subscribe,
  }
}
