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
  // Each call has a deadline, because a slow, steady response never triggers idle timeouts.
  headersTimeout: 0,
  bodyTimeout: 0,
}

/** Unexpected bytes on an idle connection. `isUntold` is true until a call reports the unexpected bytes. */
interface Surplus {
  isUntold: boolean
}

export function createPool(target: Target, connector: GuardedConnector, limit: number): Pool {
  const surplus: Surplus = { isUntold: false }
  return new Pool(originOf(target), {
    ...OPTIONS,
    connections: limit,
    factory: () => createClient(target, connector, surplus),
  })
}

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
      // undici has not sent the call yet and opens another connection for it.
      if (call?.isSettled === false) call.hasSurplus = true
      else surplus.isUntold = true
    }
    connection.isIdle = false
  })
  const dispatch = client.dispatch.bind(client)
  return Object.assign(client, {
    dispatch(options: Call['options'], next: Call): boolean {
      // Does not send a call whose deadline passed while all connections were in use.
      if (next.isSettled) return true
      call?.conclude()
      call = next
      call.connection = connection
      call.hasSurplus = surplus.isUntold
      surplus.isUntold = false
      // A call that undici rejects has already ended, and uses no connection.
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
