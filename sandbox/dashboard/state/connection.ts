import { signal, type ReadonlySignal } from '@preact/signals'
import { createControlClient } from '../../client/control-client.ts'
import type { HttpCall } from '../../client/http-call.ts'
import type { Perform } from '../../compose/perform.ts'
import { createEventQueue } from './event-queue.ts'
import { followSandbox, type StreamState } from './follow.ts'
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
