import type { Answered, Exchange, ExchangeFlag, Message, Outcome, Timings } from '../../engine/core/ports.ts'
import type { Deadlines, Waiting } from './deadlines.ts'

/** The pool whose connections carry a call. */
export interface CallOwner {
  /** Finishes the call with what is known of it, because its deadline has passed. */
  expire(call: Call): void
}

/** The connection that carries a call at the moment. */
export interface ActiveConnection {
  expire(): void
}

/** When a connection came so far that is opened for a call; undefined for where it did not come. */
export interface OpeningTimes {
  resolvedAt: number | undefined
  reachedAt: number | undefined
}

/** One exchange while it lasts. The connection that carries it fills in what it learns. */
export interface Call extends Waiting<Call> {
  readonly message: Message
  /** Path and query of the URL, as they are sent. */
  readonly path: string
  readonly pool: CallOwner
  /** Where it waits for its end. */
  readonly deadlines: Deadlines<Call>
  readonly deadlineMs: number
  readonly startedAt: number
  readonly resolve: (exchange: Exchange) => void
  isSettled: boolean
  /** The one that carries it; none while it waits for its turn. */
  connection: ActiveConnection | undefined
  /** Of the connection that is opened for it; none on a kept one. */
  opening: Readonly<OpeningTimes> | undefined
  connectedAt: number | undefined
  answeredAt: number | undefined
  /** Whether a byte of an answer has come: from then on nothing is sent again. */
  hasResponse: boolean
  /** How many answers of the 100s came, which answer nothing yet. */
  interimCount: number
  status: number | undefined
  headers: Answered['headers']
  chunks: Uint8Array[]
  bodySize: number
  isOnReusedConnection: boolean
  isRetried: boolean
  /** Whether more came than was asked for, after its answer or before it was sent. */
  hasSurplus: boolean
}

/** The limits of what is kept of an answer, whatever the receiver sends. */
const MAX_BODY_BYTES = 65_536
const MAX_HEADERS = 100
const MAX_HEADER_CHARACTERS = 16_384

const NO_FLAGS: readonly ExchangeFlag[] = []
const EMPTY = new Uint8Array(0)

export function createCall(
  message: Message,
  { path, pool }: Pick<Call, 'path' | 'pool'>,
  { deadlines, deadlineMs, resolve }: Pick<Call, 'deadlines' | 'deadlineMs' | 'resolve'>,
): Call {
  const startedAt = performance.now()
  return {
    message,
    path,
    pool,
    deadlines,
    deadlineMs,
    startedAt,
    resolve,
    dueAt: startedAt + deadlineMs,
    earlier: undefined,
    later: undefined,
    isSettled: false,
    connection: undefined,
    opening: undefined,
    connectedAt: undefined,
    answeredAt: undefined,
    hasResponse: false,
    interimCount: 0,
    status: undefined,
    headers: [],
    chunks: [],
    bodySize: 0,
    isOnReusedConnection: false,
    isRetried: false,
    hasSurplus: false,
  }
}

/** Takes as much of a piece of the body as is kept; false when there was more. */
export function keepChunk(call: Call, chunk: Uint8Array): boolean {
  const room = MAX_BODY_BYTES - call.bodySize
  call.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
  call.bodySize += Math.min(chunk.length, room)
  return chunk.length <= room
}

/** Names and values by turns, as undici hands them out. Latin-1, so that no byte is lost or refused. */
export function readHeaders(raw: readonly (Buffer | string)[]): Answered['headers'] {
  const headers: [string, string][] = []
  let room = MAX_HEADER_CHARACTERS
  for (let index = 0; index + 1 < raw.length && headers.length < MAX_HEADERS; index += 2) {
    const name = raw[index]?.toString('latin1') ?? ''
    const value = raw[index + 1]?.toString('latin1') ?? ''
    room -= name.length + value.length
    if (room < 0) break
    headers.push([name, value])
  }
  return headers
}

/** What came before the end of the exchange, or undefined if no status line did. */
export function toAnswer({ status, headers, chunks }: Call): Answered | undefined {
  return status === undefined ? undefined : { kind: 'answered', status, headers, body: join(chunks) }
}

/** Ends the call, once. `flag` is for the way in which its answer ended. */
export function finish(call: Call, outcome: Outcome, flag?: ExchangeFlag): void {
  call.isSettled = true
  call.connection = undefined
  call.deadlines.remove(call)
  call.resolve(toExchange(call, outcome, flag))
}

function toExchange(call: Call, outcome: Outcome, flag: ExchangeFlag | undefined): Exchange {
  const timings = {
    ...openingTimings(call),
    connectedMs: elapsedSince(call.startedAt, call.connectedAt),
    answeredMs: elapsedSince(call.startedAt, call.answeredAt),
    totalMs: milliseconds(performance.now() - call.startedAt),
  }
  return { outcome, timings, flags: listFlags(call, flag) }
}

function openingTimings({ startedAt, opening }: Call): Pick<Timings, 'resolvedMs' | 'reachedMs'> {
  const { resolvedAt, reachedAt } = opening ?? {}
  return {
    ...(resolvedAt !== undefined && { resolvedMs: milliseconds(resolvedAt - startedAt) }),
    ...(reachedAt !== undefined && { reachedMs: milliseconds(reachedAt - startedAt) }),
  }
}

function listFlags({ isRetried, hasSurplus }: Call, flag: ExchangeFlag | undefined): readonly ExchangeFlag[] {
  if (!isRetried && !hasSurplus) return flag ? [flag] : NO_FLAGS
  const flags: ExchangeFlag[] = flag ? [flag] : []
  if (isRetried) flags.push('connection_retried')
  if (hasSurplus) flags.push('response_surplus')
  return flags
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? EMPTY)
}

function elapsedSince(startedAt: number, time: number | undefined): number | null {
  return time === undefined ? null : milliseconds(time - startedAt)
}

/** To a hundredth: what the clock shows beyond that is noise, and long to print. */
function milliseconds(duration: number): number {
  return Math.round(duration * 100) / 100
}
