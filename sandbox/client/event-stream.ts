import { createParser } from 'eventsource-parser'
import type { Event } from '../../spec/generated/control-types.ts'
import type { RealTime } from '../engine/core/ports.ts'
import type { ControlAddress } from './control-address.ts'
import type { HttpCall } from './http-call.ts'
import { pause } from './pause.ts'
import { readRefusal, RefusedError, send } from './requests.ts'

export interface StreamBlock {
  readonly lastId: string
  /** The data of a block in the stream. Null if the block has only an id. */
  readonly data: string | null
}

export type StreamStep =
  /** A block of the stream has arrived. A block without an event contains only a position. */
  | { readonly kind: 'block'; readonly event: Event | undefined }
  /** The connection ended. `error` is undefined after a normal close. The client reconnects after `retryMs`. */
  | {
      readonly kind: 'cut'
      readonly retryMs: number
      readonly error: unknown
      readonly status: number | undefined
    }

export interface FollowOptions {
  /** The id of the last seen event. 0 requests all stored events. Defaults to new events only. */
  readonly since?: string | undefined
  readonly signal: AbortSignal
  /** The longest pause before a reconnection, in milliseconds. Defaults to 10 seconds. */
  readonly longestPauseMs?: number
}

export interface FollowPorts {
  readonly callTo: (address: ControlAddress) => HttpCall
  readonly after: RealTime['after']
}

const FIRST_PAUSE_MS = 250

/** Follows events across reconnects. Calls `find` for each connection, because a restart may change the address. */
export async function* followStream(
  find: () => ControlAddress,
  { since = '', signal, longestPauseMs = 10_000 }: FollowOptions,
  { callTo, after }: FollowPorts,
): AsyncGenerator<StreamStep> {
  let [lastId, retryMs] = [since, 0]
  while (!signal.aborted) {
    let [error, status]: [unknown, number | undefined] = [undefined, undefined]
    try {
      const { url, ...address } = find()
      const response = await send(`${url}/control/events`, {
        method: 'GET',
        token: address.token,
        world: address.world,
        headers: { accept: 'text/event-stream', ...(lastId !== '' && { 'last-event-id': lastId }) },
        signal,
        through: callTo({ url, ...address }),
      })
      status = response.status
      if (!response.ok) throw await readRefusal(response, url)
      for await (const block of readEventStream(untilCut(response.body), lastId)) {
        ;[lastId, retryMs] = [block.lastId, 0]
        yield { kind: 'block', event: parseEvent(block.data) }
        if (signal.aborted) return
      }
    } catch (thrown) {
      error = thrown
    }
    if (signal.aborted) return
    retryMs = Math.min(longestPauseMs, Math.max(FIRST_PAUSE_MS, 2 * retryMs))
    yield { kind: 'cut', retryMs, error, status }
    await pause(after, retryMs, signal)
  }
}

/** Reads server-sent events. Drops a truncated last block. */
export async function* readEventStream(
  chunks: AsyncIterable<Uint8Array>,
  since = '',
): AsyncGenerator<StreamBlock> {
  let lastId = since
  const blocks: StreamBlock[] = []
  const parser = createParser({
    onId(id) {
      lastId = id
      blocks.push({ lastId, data: null })
    },
    onEvent({ id, data }) {
      if (id !== undefined) blocks.pop()
      blocks.push({ lastId, data })
    },
  })
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    yield* blocks.splice(0)
  }
}

async function* untilCut(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    if (body) yield* body
  } catch {
    // Ignores a closed connection, because the next connection resumes the stream.
  }
}

function parseEvent(data: string | null): Event | undefined {
  if (data === null) return undefined
  try {
    const event: unknown = JSON.parse(data)
    return isEvent(event) ? event : undefined
  } catch (cause) {
    const message = `Cannot read the events of the sandbox: "${data.slice(0, 80)}" is not JSON`
    throw new RefusedError(`${message}. Use the same Hookbench version as the sandbox`, { cause })
  }
}

function isEvent(value: unknown): value is Event {
  return typeof value === 'object' && value !== null && 'type' in value && 'data' in value && 'at' in value
}
