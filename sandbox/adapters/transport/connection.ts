import { Client } from 'undici'
import type { ExchangeFlag } from '../../engine/core/ports.ts'
import { answerOf, finish, type Call } from './call.ts'
import {
  failure,
  isBadFraming,
  isDeadConnection,
  timedOut,
  unanswered,
  type Phase,
} from './failure-reasons.ts'
import type { GuardedConnector, Link, Target } from './guarded-connector.ts'
import { createResponseHandler, type Carrier } from './response-handler.ts'

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
  freed(): void
  /** It cannot. A stranded call was not answered, and is to be sent again on a fresh connection. */
  ended(stranded?: Call): void
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
  const link: Link = { phase: 'connecting', socket: undefined, error: undefined }
  const carrier = createCarrier(target, link, events)
  const handler = createResponseHandler(carrier, target)
  const client = createClient({ target, connector }, link, carrier)
  client.on('disconnect', () => {
    if (!carrier.call) events.ended()
  })

  return {
    send(call) {
      carrier.call = call
      const { headers, body } = call.message
      client.dispatch({ method: 'POST', path: call.path, headers, body }, handler)
    },
    expire() {
      const { call } = carrier
      carrier.call = undefined
      if (call && !finishAnswered(call, 'response_incomplete')) {
        finish(call, timedOut({ ...target, phase: phaseOf(link), deadlineMs: call.deadlineMs }))
      }
      events.ended()
    },
    destroy() {
      const { call } = carrier
      carrier.call = undefined
      if (call) finish(call, unanswered('interrupted', target))
      const destroyed = client.destroy()
      // undici does not know the socket before it is secured.
      link.socket?.destroy()
      return destroyed
    },
  }
}

function createCarrier(target: Target, link: Link, events: ConnectionEvents): Carrier {
  return {
    call: undefined,
    isUsed: false,
    completed(call) {
      finishAnswered(call)
      if (!isSending(link)) return events.freed()
      // An answer that comes before the message is taken leaves the rest of the message in the connection.
      // A write through TLS that has ended is known to have ended only after the next turn of the event loop.
      setImmediate(() => (isSending(link) ? events.ended() : events.freed()))
    },
    truncated(call) {
      finishAnswered(call, 'response_truncated')
      events.ended()
    },
    failed(call, reported) {
      const error = link.error ?? reported
      if (isStranded(call, error)) {
        call.isRetried = true
        return events.ended(call)
      }
      if (isBadFraming(error) || !finishAnswered(call, 'response_incomplete')) {
        finish(call, failure(error, { ...target, phase: phaseOf(link), deadlineMs: call.deadlineMs }))
      }
      events.ended()
    },
  }
}

function createClient({ target, connector }: ConnectionOptions, link: Link, carrier: Carrier): Client {
  return new Client(`https://${target.hostname}:${target.port}`, {
    connect: (_, done) => {
      carrier.isUsed = false
      connector(target, link, done)
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
  const answer = answerOf(call)
  if (answer) finish(call, answer, flag)
  return answer !== undefined
}

/** A receiver may close a kept connection at any time, also just when the next message is on its way. */
function isStranded(call: Call, error: unknown): boolean {
  return call.isOnReusedConnection && !call.hasResponse && !call.isRetried && isDeadConnection(error)
}

function phaseOf(link: Link): Phase {
  if (link.phase !== 'open') return link.phase
  return isSending(link) ? 'sending' : 'waiting'
}

function isSending({ socket }: Link): boolean {
  return socket !== undefined && socket.writableLength > 0
}
