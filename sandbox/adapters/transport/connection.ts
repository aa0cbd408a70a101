import { Client } from 'undici'
import type { ExchangeFlag } from '../../engine/core/ports.ts'
import { toAnswer, finish, type Call } from './call.ts'
import {
  errorOutcome,
  isBadFraming,
  isDeadConnection,
  isSurplus,
  timeoutOutcome,
  failureOutcome,
  type Phase,
} from './failure-outcomes.ts'
import { createContinueAnswers } from './continue-answers.ts'
import type { GuardedConnector, Link, Target } from './guarded-connector.ts'
import { createResponseHandler, type ConnectionState } from './response-handler.ts'

/** One connection to a receiver, for one call at a time. It finishes the calls that it carries. */
export interface Connection {
  send(call: Call): void
  /** Finishes its call with what is known of it, because its deadline has passed. */
  expire(): void
  /** Ends it at once; a call that it carries is finished as interrupted. */
  destroy(): Promise<void>
}

export interface ConnectionEvents {
  /** It can carry another call. */
  onFree(): void
  /** It cannot. A retryable call was not answered, and is to be sent again on a fresh connection. */
  onEnd(retryable?: Call): void
  /** Something came on it, while it was idle, that nobody had asked for. It ends. */
  onSurplus(): void
}

export interface ConnectionOptions {
  readonly target: Target
  readonly connector: GuardedConnector
}

const MAX_HEADER_BYTES = 16_384

export function createConnection(
  { target, connector }: ConnectionOptions,
  events: ConnectionEvents,
): Connection {
  const link: Link = {
    phase: 'connecting',
    socket: undefined,
    error: undefined,
    resolvedAt: undefined,
    reachedAt: undefined,
  }
  const state = createState(target, link, events)
  const handler = createResponseHandler(state, target)
  const client = createClient({ target, connector }, link, state)
  client.on('disconnect', (_origin, _targets, error) => {
    const { call } = state
    if (isSurplus(error) && !state.isCompleting && !state.hasSurplus) {
      // A call that waits to be sent still: undici opens another connection for it.
      if (call) call.hasSurplus = true
      else events.onSurplus()
    }
    if (!call) events.onEnd()
  })

  return {
    send(call) {
      state.call = call
      call.opening = state.isUsed ? undefined : link
      const { headers, body } = call.message
      client.dispatch({ method: 'POST', path: call.path, headers, body }, handler)
    },
    expire() {
      const { call } = state
      state.call = undefined
      if (call && !finishAnswered(call, 'response_incomplete')) {
        finish(call, timeoutOutcome({ ...target, phase: findPhase(link), deadlineMs: call.deadlineMs }))
      }
      events.onEnd()
    },
    destroy() {
      const { call } = state
      state.call = undefined
      if (call) finish(call, failureOutcome('interrupted', target))
      const destroyed = client.destroy()
      // undici does not know the socket before it is secured.
      link.socket?.destroy()
      return destroyed
    },
  }
}

function createState(target: Target, link: Link, events: ConnectionEvents): ConnectionState {
  return {
    call: undefined,
    continueAnswers: createContinueAnswers(),
    isUsed: false,
    isCompleting: false,
    hasSurplus: false,
    onCompleted(call) {
      this.isCompleting = true
      // By then all has been parsed that came with the answer, in another record of TLS, too; and a write through TLS that has
      // ended is known to have ended.
      setImmediate(() => {
        this.isCompleting = false
        this.hasSurplus = isSurplus(link.socket?.errored)
        call.hasSurplus ||= this.hasSurplus
        finishAnswered(call)
        // An answer that comes before the message is taken leaves the rest of the message in the connection.
        if (this.hasSurplus || isSending(link)) events.onEnd()
        else events.onFree()
      })
    },
    onTruncated(call) {
      finishAnswered(call, 'response_truncated')
      events.onEnd()
    },
    onFailed(call, reported) {
      const error = link.error ?? reported
      if (isRetryable(call, error)) {
        call.isRetried = true
        return events.onEnd(call)
      }
      if (isBadFraming(error) || !finishAnswered(call, 'response_incomplete')) {
        finish(call, errorOutcome(error, { ...target, phase: findPhase(link), deadlineMs: call.deadlineMs }))
      }
      events.onEnd()
    },
  }
}

function createClient({ target, connector }: ConnectionOptions, link: Link, state: ConnectionState): Client {
  return new Client(`https://${target.hostname}:${target.port}`, {
    connect: (_, done) => {
      state.isUsed = false
      state.hasSurplus = false
      connector(target, link, (...result) => {
        if (result[1]) state.continueAnswers.watch(result[1])
        done(...result)
      })
    },
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Idle timers, which a receiver that drips bytes never trips: the deadlines are our own.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** False when no status line has come, so that something else must be said of the call. */
function finishAnswered(call: Call, flag?: ExchangeFlag): boolean {
  const answer = toAnswer(call)
  if (answer) finish(call, answer, flag)
  return answer !== undefined
}

/** A receiver may close a kept connection at any time, also just when the next message is on its way. */
function isRetryable(call: Call, error: unknown): boolean {
  return call.isOnReusedConnection && !call.hasResponse && !call.isRetried && isDeadConnection(error)
}

function findPhase(link: Link): Phase {
  if (link.phase !== 'open') return link.phase
  return isSending(link) ? 'sending' : 'waiting'
}

function isSending({ socket }: Link): boolean {
  return socket !== undefined && socket.writableLength > 0
}
