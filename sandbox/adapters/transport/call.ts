import type { Dispatcher } from 'undici'
import type { Exchange, ExchangeFlag, HttpMessage, Outcome, Timings } from '../../engine/core/ports.ts'
import { keepChunk, readHeaders, toAnswered, type ReceivedResponse } from './answer.ts'
import type { ContinueAnswers } from './continue-answers.ts'
import {
  errorOutcome,
  isBadFraming,
  isDeadConnection,
  isInterruption,
  isSurplus,
  knownFailure,
  timeoutOutcome,
  KnownFailure,
  type FailureContext,
} from './failure-outcomes.ts'
import type { Link, Target } from './link.ts'

export interface Connection extends Link {
  isUsed: boolean
  /** True if the connection is open, and nothing was sent since the last response. */
  isIdle: boolean
  readonly continueAnswers: ContinueAnswers
  readonly resend: (call: Call) => void
}

export interface CallOptions {
  readonly message: HttpMessage
  readonly path: string
  readonly target: Target
  readonly deadlineMs: number
}

/** A POST request and the state of its exchange. Implements undici's handler. Times come from `performance.now()`. */
export interface Call extends Dispatcher.DispatchHandler {
  readonly options: Dispatcher.DispatchOptions
  readonly target: Target
  readonly deadlineMs: number
  readonly resolve: (exchange: Exchange) => void
  readonly startedAt: number
  readonly answer: ReceivedResponse
  deadline: NodeJS.Timeout | undefined
  connection: Connection | undefined
  /** The connection that was opened for this call. Undefined for a reused connection. */
  opening: Readonly<Link> | undefined
  connectedAt: number | undefined
  answeredAt: number | undefined
  isOnReusedConnection: boolean
  /** True after the first byte of a response has arrived. A call with a response is not resent. */
  hasResponse: boolean
  interimCount: number
  isRetried: boolean
  isEnded: boolean
  /** True if unexpected bytes arrived before or after the response. */
  hasSurplus: boolean
  isSettled: boolean
  conclude(): void
}

const MAX_INTERIM_ANSWERS = 32
/** The longest delay of Node's timers, in milliseconds. A timer with a longer delay fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1
const NO_FLAGS: readonly ExchangeFlag[] = []

/** Creates a call. The call's time limit starts immediately and includes the wait for a free connection. */
export function createCall(
  { message: { headers, body }, path, target, deadlineMs }: CallOptions,
  resolve: (exchange: Exchange) => void,
): Call {
  const call: Call = {
    ...HANDLER,
    options: { method: 'POST', path, headers, body },
    target,
    deadlineMs,
    resolve,
    startedAt: performance.now(),
    answer: { head: undefined, chunks: [], size: 0 },
    connection: undefined,
    opening: undefined,
    connectedAt: undefined,
    answeredAt: undefined,
    isOnReusedConnection: false,
    hasResponse: false,
    interimCount: 0,
    isRetried: false,
    isEnded: false,
    hasSurplus: false,
    isSettled: false,
    deadline: undefined,
  }
  // The timer does not need to keep the process alive, because sockets do.
  call.deadline = setTimeout(expire, Math.min(deadlineMs, MAX_TIMER_MS), call).unref()
  return call
}

const HANDLER = {
  onRequestStart(this: Call, controller: Dispatcher.DispatchController): void {
    // Aborts if the call's deadline passed while undici was opening another connection.
    if (this.isSettled) return controller.abort(new Error('The deadline has passed'))
    this.connectedAt = performance.now()
    const { connection } = this
    if (!connection) return
    this.isOnReusedConnection = connection.isUsed
    connection.isUsed = true
    connection.isIdle = false
    connection.continueAnswers.begin()
  },
  onResponseStarted(this: Call): void {
    this.hasResponse = true
  },
  onResponseStart(this: Call, { rawHeaders }: Dispatcher.DispatchController, status: number): void {
    if (status === 101) return fail(this, knownFailure('unexpected_upgrade', this.target))
    if (status >= 100 && status < 200) {
      this.interimCount += 1
      if (this.interimCount > MAX_INTERIM_ANSWERS) fail(this, tooManyInterimAnswers(this.target))
      return
    }
    this.answeredAt = performance.now()
    this.answer.head = { status, headers: Array.isArray(rawHeaders) ? readHeaders(rawHeaders) : [] }
    // Fails on a status below 100, because undici treats it as interim and would wait for another response.
    if (status < 100) fail(this, undefined)
  },
  onResponseData(this: Call, _: unknown, chunk: Uint8Array): void {
    if (this.isSettled || keepChunk(this.answer, chunk)) return
    settleAnswered(this, 'response_truncated')
    end(this)
  },
  onResponseEnd(this: Call): void {
    if (this.isSettled) return
    clearTimeout(this.deadline)
    this.isEnded = true
    // Waits until undici has released the connection. After this wait, the TLS write has ended and any surplus bytes have
    // arrived.
    queueMicrotask(() => setImmediate(() => this.conclude()))
  },
  conclude(this: Call): void {
    if (!this.isEnded || this.isSettled) return
    const { connection } = this
    const hasSurplus = isSurplus(connection?.socket?.errored)
    this.hasSurplus ||= hasSurplus
    settleAnswered(this)
    // If the response came before the whole request was sent, the rest of the request is still queued.
    if (!connection || hasSurplus || connection.socket?.writableLength !== 0) end(this)
    else connection.isIdle = true
  },
  onResponseError(this: Call, _: unknown, error: unknown): void {
    if (!this.isSettled) fail(this, error)
  },
}

function tooManyInterimAnswers({ hostname, port }: Target): KnownFailure {
  const message = `No answer from "${hostname}:${port}": more than ${MAX_INTERIM_ANSWERS} interim responses (1xx) arrived. Answer with a final status`
  return new KnownFailure({ reason: 'header_timeout', message })
}

function fail(call: Call, reported: unknown): void {
  const error = call.connection?.error ?? reported
  if (call.connection && isRetryable(call, error)) {
    call.isRetried = true
    return call.connection.resend(call)
  }
  const isAnswered = !isInterruption(error) && !isBadFraming(error)
  if (!isAnswered || !settleAnswered(call, 'response_incomplete'))
    settle(call, errorOutcome(error, contextOf(call)))
  end(call)
}

function end({ connection }: Call): void {
  if (!connection) return
  connection.isIdle = false
  // Destroys the socket directly, because undici does not know the socket before the TLS handshake.
  connection.socket?.destroy(new Error('Ended'))
}

/** Returns true if the call can be resent. A receiver may close a reused connection at any time, even during a request. */
function isRetryable({ isOnReusedConnection, hasResponse, isRetried }: Call, error: unknown): boolean {
  return isOnReusedConnection && !hasResponse && !isRetried && isDeadConnection(error)
}

function expire(call: Call): void {
  if (!settleAnswered(call, 'response_incomplete')) settle(call, timeoutOutcome(contextOf(call)))
  end(call)
}

function contextOf({ connection, target, deadlineMs }: Call): FailureContext {
  if (connection?.phase !== 'open') return { target, phase: connection?.phase ?? 'queued', deadlineMs }
  const isSending = (connection.socket?.writableLength ?? 0) > 0
  return { target, phase: isSending ? 'sending' : 'waiting', deadlineMs }
}

function settleAnswered(call: Call, flag?: ExchangeFlag): boolean {
  const answer = toAnswered(call.answer)
  if (answer) settle(call, answer, flag)
  return answer !== undefined
}

function settle(call: Call, outcome: Outcome, flag?: ExchangeFlag): void {
  call.isSettled = true
  clearTimeout(call.deadline)
  call.resolve({ outcome, timings: toTimings(call), flags: listFlags(call, flag) })
}

function toTimings({ startedAt, opening, connectedAt, answeredAt }: Call): Timings {
  const { resolvedAt, reachedAt } = opening ?? {}
  return {
    ...(resolvedAt !== undefined && { resolvedMs: milliseconds(resolvedAt - startedAt) }),
    ...(reachedAt !== undefined && { reachedMs: milliseconds(reachedAt - startedAt) }),
    connectedMs: connectedAt === undefined ? null : milliseconds(connectedAt - startedAt),
    answeredMs: answeredAt === undefined ? null : milliseconds(answeredAt - startedAt),
    totalMs: milliseconds(performance.now() - startedAt),
  }
}

function milliseconds(duration: number): number {
  return Math.round(duration * 100) / 100
}

function listFlags({ isRetried, hasSurplus }: Call, flag?: ExchangeFlag): readonly ExchangeFlag[] {
  if (!isRetried && !hasSurplus) return flag ? [flag] : NO_FLAGS
  const flags: ExchangeFlag[] = flag ? [flag] : []
  if (isRetried) flags.push('connection_retried')
  if (hasSurplus) flags.push('response_surplus')
  return flags
}
