import type { Event } from '../../spec/generated/control-types.ts'
import type { ControlAddress } from './control-address.ts'
import { readEventStream, type ServerSentEvent } from './event-stream.ts'
import { createStreamCall, type HttpCall } from './http-call.ts'
import { pause as realPause } from './pause.ts'
import { readRefusal, RefusedError, send } from './requests.ts'
import { UnreachableError } from './unreachable.ts'

/** From where events are followed, until when, and what to call during an outage. */
export interface FollowOptions {
  /** The id of the last event that was seen; 0 for all that are known; only new ones if left out. */
  readonly since?: string | undefined
  readonly signal: AbortSignal
  /** Called once for each outage, when the first attempt to connect again has failed. */
  readonly onOutage: (error: UnreachableError) => void
}

/** How the stream is reached; a test has its own. */
interface FollowPorts {
  readonly through?: HttpCall
  readonly pause?: typeof realPause
}

const PAUSE_MS = 250

/**
 * What happens in the sandbox, as it happens, until the signal is aborted. After a cut it connects again for as long as it
 * takes, and goes on after the last event that it gave; `find` is called again, since a sandbox that was restarted may
 * listen elsewhere. Throws UnreachableError only if the sandbox cannot be reached at first, and RefusedError at any time.
 */
export async function* followEvents(
  find: () => ControlAddress,
  { since, signal, onOutage }: FollowOptions,
  { through, pause = realPause }: FollowPorts = {},
): AsyncGenerator<Event> {
  let [lastId, connected, reported] = [since ?? '', false, false]
  while (!signal.aborted) {
    try {
      for await (const event of connect(find(), through, { lastId, signal })) {
        ;[connected, reported] = [true, false]
        if (event === 'connected') continue
        lastId = event.lastId
        if (event.data !== null) yield parseEvent(event)
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof UnreachableError) || !connected) throw error
      if (!reported) onOutage(error)
      reported = true
    }
    await pause(PAUSE_MS, signal)
  }
}

interface Position {
  readonly lastId: string
  readonly signal: AbortSignal
}

/** `connected` once the connection stands, then its events until it is cut, which is not an error. */
async function* connect(
  { url, token, world, trustedCas }: ControlAddress,
  given: HttpCall | undefined,
  { lastId, signal }: Position,
): AsyncGenerator<'connected' | ServerSentEvent> {
  const headers = { accept: 'text/event-stream', ...(lastId === '' ? {} : { 'last-event-id': lastId }) }
  const through = given ?? createStreamCall({ trustedCas })
  const response = await send(`${url}/control/events`, {
    method: 'GET',
    token,
    world,
    headers,
    signal,
    through,
  })
  if (!response.ok) throw await readRefusal(response, url)
  yield 'connected'
  if (response.body === null) return
  yield* readEventStream(untilCut(response.body), lastId)
}

async function* untilCut(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch {
    // The caller connects again, unless the signal is aborted.
  }
}

function parseEvent({ data }: ServerSentEvent): Event {
  try {
    return JSON.parse(data ?? '') as Event
  } catch (cause) {
    const message = `Cannot read the events of the sandbox: "${data?.slice(0, 80)}" is not JSON`
    throw new RefusedError(`${message}; use the version of Hookbench that runs the sandbox`, { cause })
  }
}
