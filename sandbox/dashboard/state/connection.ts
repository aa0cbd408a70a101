import { signal, type ReadonlySignal } from '@preact/signals'
import { createControlClient } from '../../client/control-client.ts'
import type { HttpCall } from '../../client/http-call.ts'
import type { Perform } from '../../compose/perform.ts'
import { createEventQueue } from './event-queue.ts'
import { followSandbox, type StreamState } from './follow.ts'
import type { EventFeed } from './listing.ts'
import type { PagePorts } from './page-ports.ts'

/** The way to the sandbox: its control API, and what happens in it. */
export interface Connection extends EventFeed {
  /** The control API, whose operations look at the instant, if there is one. */
  performAt(at: number | undefined): Perform
  readonly stream: ReadonlySignal<StreamState>
  /** Begins to follow what happens, once all who listen do. */
  open(): void
  /** Takes another token, after one was refused or where the address has one. */
  useToken(token: string): void
}

export function createConnection(ports: PagePorts, through: HttpCall): Connection {
  let token = ports.takeToken()
  const stream = signal<StreamState>(
    token === '' ? { kind: 'refused', given: false } : { kind: 'connecting' },
  )
  const { push, gap, resume, ...feed } = createEventQueue(ports.soon)
  // The next attempt comes at once if the machine is on the network again, or somebody looks.
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
