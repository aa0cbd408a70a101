import type { Dispatcher } from 'undici'
import type { Exchange, ExchangeFlag, Message, Outcome, Timings } from '../../engine/core/ports.ts'
import { keepChunk, readHeaders, toAnswered, type Answer } from './answer.ts'
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
  /** True if a call was sent on it since it was opened. */
  isUsed: boolean
  /** True if it is open, and nothing was sent since the last answer. */
  isIdle: boolean
  readonly continueAnswers: ContinueAnswers
  /** Sends the call once more, on a new connection in the place of this one, which has ended. */
  readonly resend: (call: Call) => void
}

export interface CallOptions {
  readonly message: Message
  /** Path and query of the URL, as they are sent. */
  readonly path: string
  readonly target: Target
  readonly deadlineMs: number
}

/** One POST until its exchange is known, as a handler of undici. Times are those of `performance.now()`. */
export interface Call extends Dispatcher.DispatchHandler {
  readonly options: Dispatcher.DispatchOptions
  readonly target: Target
  readonly deadlineMs: number
  readonly resolve: (exchange: Exchange) => void
  readonly startedAt: number
  readonly answer: Answer
  deadline: NodeJS.Timeout | undefined
  connection: Connection | undefined
  /** The connection if it is opened for this call. Undefined for a kept one. */
  opening: Readonly<Link> | undefined
  connectedAt: number | undefined
  answeredAt: number | undefined
  isOnReusedConnection: boolean
  /** True if a byte of an answer has come. From then on nothing is sent again. */
  hasResponse: boolean
  interimCount: number
  isRetried: boolean
  isEnded: boolean
  /** True if more came than was asked for, after its answer or before it was sent. */
  hasSurplus: boolean
  isSettled: boolean
  conclude(): void
}

/** A receiver that sends more of them than any proxy does is not waited for any longer. */
const MAX_INTERIM_ANSWERS = 32
/** Beyond it, Node's timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1
const NO_FLAGS: readonly ExchangeFlag[] = []

/** Its deadline begins now, and counts the wait for a connection, too. */
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
  // Sockets keep the process alive, the timer need not.
  call.deadline = setTimeout(expire, Math.min(deadlineMs, MAX_TIMER_MS), call).unref()
  return call
}

const HANDLER = {
  onRequestStart(this: Call, controller: Dispatcher.DispatchController): void {
    // The connection that it waited for ended, and undici has opened another one.
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
    // undici takes a status below 100 for an interim one, and would wait for another.
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
    // By then all has been parsed that came with the answer, in another record of TLS, too; a write through TLS that has ended is
    // known to have ended; and undici has freed the connection, which it does by setImmediate() after this.
    queueMicrotask(() => setImmediate(() => this.conclude()))
  },
  conclude(this: Call): void {
    if (!this.isEnded || this.isSettled) return
    const { connection } = this
    const hasSurplus = isSurplus(connection?.socket?.errored)
    this.hasSurplus ||= hasSurplus
    settleAnswered(this)
    // An answer that comes before the message is taken leaves the rest of the message in the connection.
    if (!connection || hasSurplus || connection.socket?.writableLength !== 0) end(this)
    else connection.isIdle = true
  },
  onResponseError(this: Call, _: unknown, error: unknown): void {
    if (!this.isSettled) fail(this, error)
  },
}

function tooManyInterimAnswers({ hostname, port }: Target): KnownFailure {
  const message = `No answer from "${hostname}:${port}": more than ${MAX_INTERIM_ANSWERS} interim ones (1xx) came. Answer with a final status`
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

/** Ends its connection at once, in any phase. */
function end({ connection }: Call): void {
  if (!connection) return
  connection.isIdle = false
  // undici does not know the socket before it is secured, and must be told that it has ended.
  connection.socket?.destroy(new Error('Ended'))
}

/** A receiver may close a kept connection at any time, also just when the next message is on its way. */
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

/** Returns false if no status line has come. */
function settleAnswered(call: Call, flag?: ExchangeFlag): boolean {
  const answer = toAnswered(call.answer)
  if (answer) settle(call, answer, flag)
  return answer !== undefined
}

/** `flag` is for the way in which its answer ended. */
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

/** Rounds to a hundredth. The clock is not more precise, and more digits are long to print. */
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
