import type { Event } from '../../../spec/generated/control-types.ts'
import type { ControlAddress } from '../../client/control-address.ts'
import { readEventStream } from '../../client/event-stream.ts'
import type { HttpCall } from '../../client/http-call.ts'
import { readRefusal, send } from '../../client/requests.ts'

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

export interface FollowPorts {
  readonly through: HttpCall
  /** Resolves after so long, or earlier when there is hope. */
  readonly pause: (delayMs: number) => Promise<void>
  /** Ends it. */
  readonly signal: AbortSignal
}

interface Followers {
  onState(state: StreamState): void
  /** What was shown may not be what is: everything is to be listed again. Events that come from here on are newer. */
  onGap(): void
  onEvent(event: Event): void
}

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 10_000]

/**
 * Follows what happens until the token is refused, the world is gone or the signal is aborted. It goes on after the last event that was seen; where the sandbox does not know
 * any more what came after, as after a restart, there is a gap. The first connection is one: listing begins when it stands, so
 * that nothing falls in between.
 */
export async function followStream(
  { url, token, world }: ControlAddress,
  { through, pause, signal }: FollowPorts,
  { onState, onGap, onEvent }: Followers,
): Promise<void> {
  let [lastId, pauseMs] = ['', FIRST_PAUSE_MS]
  onState({ kind: 'connecting' })
  while (!signal.aborted) {
    try {
      const headers = { accept: 'text/event-stream', ...(lastId !== '' && { 'last-event-id': lastId }) }
      const response = await send(`${url}/control/events`, {
        method: 'GET',
        token,
        world,
        headers,
        through,
        signal,
      })
      // The token of another world, too, is one that opens nothing here.
      if (response.status === 401 || response.status === 403) return onState({ kind: 'refused', given: true })
      if (response.status === 404 && world !== undefined) return onState({ kind: 'no-world' })
      if (!response.ok) throw await readRefusal(response, url)
      for await (const { lastId: id, data } of readEventStream(response.body ?? noChunks(), lastId)) {
        if (signal.aborted) return
        if (pauseMs !== 0) onState({ kind: 'live' })
        if (lastId === '') onGap()
        ;[lastId, pauseMs] = [id, 0]
        const event = data === null ? undefined : parseEvent(data)
        if (event?.type === 'gap') onGap()
        else if (event) onEvent(event)
      }
    } catch {
      // Whatever it was: the sandbox may be there again when it is asked next.
    }
    if (signal.aborted) return
    pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pauseMs))
    onState({ kind: 'cut', retryMs: pauseMs })
    await pause(pauseMs)
  }
}

async function* noChunks(): AsyncGenerator<Uint8Array> {}

function parseEvent(data: string): Event | undefined {
  const event: unknown = JSON.parse(data)
  return isEvent(event) ? event : undefined
}

function isEvent(value: unknown): value is Event {
  return typeof value === 'object' && value !== null && 'type' in value && 'data' in value && 'at' in value
}
