import type { Event } from '../../../spec/generated/control-types.ts'
import type { ControlAddress } from '../../client/control-address.ts'
import { followStream, type FollowPorts } from '../../client/event-stream.ts'

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

interface Followers {
  onState(state: StreamState): void
  /** Requires a new listing. Later events are newer than it. */
  onGap(): void
  onEvent(event: Event): void
}

/**
 * Follows the events until the token is rejected, the world is gone or the signal is aborted. A gap means
 * that events were missed, as after a restart. The first connection counts as a gap, so listing begins after
 * the stream is live.
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
    // 403 is the token of another world.
    if (step.status === 401 || step.status === 403) return onState({ kind: 'refused', given: true })
    if (step.status === 404 && address.world !== undefined) return onState({ kind: 'no-world' })
    isLive = false
    onState({ kind: 'cut', retryMs: step.retryMs })
  }
}
