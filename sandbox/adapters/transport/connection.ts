import { Client, Pool } from 'undici'
import type { Call, Carrier } from './call.ts'
import { createContinueAnswers, type ContinueAnswers } from './continue-answers.ts'
import { isSurplus } from './failure-outcomes.ts'
import type { GuardedConnector } from './guarded-connector.ts'
import type { Link, Target } from './link.ts'

const MAX_HEADER_BYTES = 16_384

const OPTIONS = {
  allowH2: false,
  pipelining: 1,
  maxHeaderSize: MAX_HEADER_BYTES,
  // Idle timers, which a receiver that drips bytes never trips: each call has a deadline of its own.
  headersTimeout: 0,
  bodyTimeout: 0,
}

/** Whether something came on an idle connection of a pool that no call has told of yet. */
interface Surplus {
  isUntold: boolean
}

/** Opens a pool of so many connections at most. Each call knows the connection that carries it. */
export function createPool(target: Target, connector: GuardedConnector, limit: number): Pool {
  const surplus: Surplus = { isUntold: false }
  return new Pool(originOf(target), {
    ...OPTIONS,
    connections: limit,
    factory: () => createConnection(target, connector, surplus),
  })
}

/** A client of undici: it has one connection at a time, and one call on it. */
function createConnection(target: Target, connector: GuardedConnector, surplus: Surplus): Client {
  const state = createState()
  const client = createClient(target, connector, state)
  const dispatch = client.dispatch.bind(client)
  const carrier = createCarrier(state, (call) => void dispatch(call.options, call))

  client.on('disconnect', (_origin, _targets, error) => {
    const { call } = state
    if (state.isIdle && isSurplus(error)) {
      // A call that waits to be sent still: undici opens another connection for it.
      if (call) call.hasSurplus = true
      else surplus.isUntold = true
    }
    state.isIdle = false
  })
  return Object.assign(client, {
    dispatch(options: Call['options'], call: Call): boolean {
      // Its deadline passed while all connections were busy.
      if (call.isSettled) return true
      state.call?.conclude()
      state.call = call
      call.carrier = carrier
      call.hasSurplus = surplus.isUntold
      surplus.isUntold = false
      // What undici refuses to send has ended, and keeps no connection busy.
      return dispatch(options, call) || call.isSettled
    },
  })
}

interface ConnectionState {
  readonly link: Link
  readonly continueAnswers: ContinueAnswers
  call: Call | undefined
  /** Whether a call was sent on it since it was opened. */
  isUsed: boolean
  /** Whether it is open and nothing was sent since the last answer. */
  isIdle: boolean
}

function createClient(target: Target, connector: GuardedConnector, state: ConnectionState): Client {
  const { link, continueAnswers } = state
  return new Client(originOf(target), {
    ...OPTIONS,
    connect(_, done) {
      state.isUsed = false
      if (state.call) state.call.opening = link
      connector({
        target,
        link,
        done(...result) {
          if (result[1]) continueAnswers.watch(result[1])
          done(...result)
        },
      })
    },
  })
}

function createCarrier(state: ConnectionState, resend: Carrier['resend']): Carrier {
  const { link, continueAnswers } = state
  function end(): void {
    state.isIdle = false
    // undici does not know the socket before it is secured, and must be told that it has ended.
    link.socket?.destroy(new Error('Ended'))
  }
  return {
    link,
    resend,
    end,
    begin() {
      const wasUsed = state.isUsed
      state.isUsed = true
      state.isIdle = false
      continueAnswers.begin()
      return wasUsed
    },
    complete() {
      state.call = undefined
      const hasSurplus = isSurplus(link.socket?.errored)
      // An answer that comes before the message is taken leaves the rest of the message in the connection.
      state.isIdle = !hasSurplus && link.socket?.writableLength === 0
      if (!state.isIdle) end()
      return hasSurplus
    },
  }
}

function originOf({ hostname, port }: Target): string {
  return `https://${hostname}:${port}`
}

function createState(): ConnectionState {
  const link: Link = {
    phase: 'connecting',
    socket: undefined,
    error: undefined,
    resolvedAt: undefined,
    reachedAt: undefined,
  }
  return { link, continueAnswers: createContinueAnswers(), call: undefined, isUsed: false, isIdle: false }
}
