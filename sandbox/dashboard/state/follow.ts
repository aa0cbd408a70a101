import type { Event } from '../../../spec/generated/control-types.ts'
import type { ControlAddress } from '../../client/control-address.ts'
import { followStream, type FollowPorts } from '../../client/event-stream.ts'

/** How the stream of events stands. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** It ended or could not be had; the next attempt comes after `retryMs`. */
  | { readonly kind: 'cut'; readonly retryMs: number }
  /** There is no token, or the sandbox does not take the one that there is. */
  | { readonly kind: 'refused'; readonly given: boolean }
  /** The world that the address names is none of the sandbox. */
  | { readonly kind: 'no-world' }

interface Followers {
  onState(state: StreamState): void
  /** What was shown may not be what is: everything is to be listed again. Events that come from here on are newer. */
  onGap(): void
  onEvent(event: Event): void
}

/**
 * Follows what happens until the token is refused, the world is gone or the signal is aborted. There is a gap where the sandbox
 * does not know what came after the last event, as after a restart. The first connection is a gap, too: listing begins when the
 * connection is live, so that no event is missed.
 */
export async function followSandbox(
  address: ControlAddress,
  { signal, ...ports }: FollowPorts & { readonly signal: AbortSignal },
  { onState, onGap, onEvent }: Followers,
): Promise<void> {
  let [isFirst, isLive] = [true, false]
  onState({ kind: 'connecting' })
  for await (const step of followStream(() => address, { signal }, ports)) {
    if (step.kind === 'block') {
      if (!isLive) onState({ kind: 'live' })
      if (isFirst || step.event?.type === 'gap') onGap()
      if (step.event && step.event.type !== 'gap') onEvent(step.event)
      ;[isFirst, isLive] = [false, true]
      continue
    }
    // The token of another world, too, is one that opens nothing here.
    if (step.status === 401 || step.status === 403) return onState({ kind: 'refused', given: true })
    if (step.status === 404 && address.world !== undefined) return onState({ kind: 'no-world' })
    isLive = false
    onState({ kind: 'cut', retryMs: step.retryMs })
  }
}
