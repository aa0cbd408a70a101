import { Client, Pool } from 'undici'
import type { Call, Connection } from './call.ts'
import { createContinueAnswers } from './continue-answers.ts'
import { isSurplus } from './failure-outcomes.ts'
import type { GuardedConnector } from './guarded-connector.ts'
import type { Target } from './link.ts'

const OPTIONS = {
  allowH2: false,
  pipelining: 1,
  maxHeaderSize: 16_384,
  // Idle timers, which a receiver that drips bytes never trips: each call has a deadline of its own.
  headersTimeout: 0,
  bodyTimeout: 0,
}

/** True if bytes came on an idle connection of the pool, and no call has reported them. */
interface Surplus {
  isUntold: boolean
}

/** Opens a pool of at most `limit` connections. Each call knows the connection that carries it. */
export function createPool(target: Target, connector: GuardedConnector, limit: number): Pool {
  const surplus: Surplus = { isUntold: false }
  return new Pool(originOf(target), {
    ...OPTIONS,
    connections: limit,
    factory: () => createClient(target, connector, surplus),
  })
}

/** Creates a client of undici, which has one connection at a time and one call on it. */
function createClient(target: Target, connector: GuardedConnector, surplus: Surplus): Client {
  const connection = createConnection((call) => void dispatch(call.options, call))
  let call: Call | undefined

  const client = new Client(originOf(target), {
    ...OPTIONS,
    connect(_, done) {
      connection.isUsed = false
      if (call) call.opening = connection
      connector(target, connection, (...result) => {
        if (result[1]) connection.continueAnswers.watch(result[1])
        done(...result)
      })
    },
  })
  client.on('disconnect', (_origin, _targets, error) => {
    if (connection.isIdle && isSurplus(error)) {
      // A call that waits to be sent still: undici opens another connection for it.
      if (call?.isSettled === false) call.hasSurplus = true
      else surplus.isUntold = true
    }
    connection.isIdle = false
  })
  const dispatch = client.dispatch.bind(client)
  return Object.assign(client, {
    dispatch(options: Call['options'], next: Call): boolean {
      // Its deadline passed while all connections were busy.
      if (next.isSettled) return true
      call?.conclude()
      call = next
      call.connection = connection
      call.hasSurplus = surplus.isUntold
      surplus.isUntold = false
      // A call that undici refuses to send has ended, and keeps no connection busy.
      return dispatch(options, next) || next.isSettled
    },
  })
}

function createConnection(resend: Connection['resend']): Connection {
  return {
    resend,
    phase: 'connecting',
    socket: undefined,
    error: undefined,
    resolvedAt: undefined,
    reachedAt: undefined,
    isUsed: false,
    isIdle: false,
    continueAnswers: createContinueAnswers(),
  }
}

function originOf({ hostname, port }: Target): string {
  return `https://${hostname}:${port}`
}
