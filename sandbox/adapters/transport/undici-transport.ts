import dns from 'node:dns'
import type { Egress } from '../../engine/delivery/egress.ts'
import type { Exchange, Outcome, Transport } from '../../engine/core/ports.ts'
import { createCall, type Call } from './call.ts'
import { createDeadlines } from './deadlines.ts'
import { refusalOutcome } from './failure-outcomes.ts'
import { createGuardedConnector } from './guarded-connector.ts'
import { createBoundedLookup, type Lookup } from './lookup.ts'
import { createRoutes } from './routes.ts'

export interface UndiciTransportOptions {
  /** PEM of CAs to trust beside Node's public roots. Asked at each new connection. */
  readonly trustedCas: () => readonly string[]
  readonly egress: Egress
  /** Default: `dns.lookup`. */
  readonly lookup?: Lookup
  /** How many calls may be under way to one origin; more wait, within their deadline. Default: 64. */
  readonly connectionsPerOrigin?: number
  /** The data folder that messages name in commands; the default one if left out. */
  readonly dataFolder?: string | undefined
}

export interface UndiciTransport extends Transport {
  /** Finishes calls under way as interrupted and closes all connections, so that the process can exit. */
  close(): Promise<void>
}

const DEFAULT_CONNECTIONS = 64

const CLOSED: Outcome = {
  kind: 'unanswered',
  reason: 'interrupted',
  message: 'Cannot send: the sandbox is being stopped',
}

/** Sends over HTTPS/1.1 on kept connections. Follows no redirect, decodes nothing, heeds no proxy. */
export function createUndiciTransport(options: UndiciTransportOptions): UndiciTransport {
  const { egress, connectionsPerOrigin: limit = DEFAULT_CONNECTIONS, dataFolder } = options
  const names = createBoundedLookup(options.lookup ?? dns.lookup)
  const connector = createGuardedConnector({ ...options, lookup: names.lookup })
  const routes = createRoutes(egress, { connector, limit, dataFolder })
  const deadlines = createDeadlines<Call>((call) => call.pool.expire(call))
  let isClosed = false

  return {
    post(message, deadlineMs) {
      if (isClosed) return Promise.resolve(unsentExchange(CLOSED))

      const route = routes.to(message.url, message.sourceAddress)
      if ('refusal' in route) return Promise.resolve(unsentExchange(refusalOutcome(route.refusal)))

      return new Promise((resolve) => {
        const call = createCall(message, route, { deadlines, deadlineMs, resolve })
        deadlines.add(call)
        route.pool.run(call)
      })
    },
    async close() {
      isClosed = true
      names.close()
      deadlines.close()
      await routes.close()
    },
  }
}

function unsentExchange(outcome: Outcome): Exchange {
  return { outcome, timings: { connectedMs: null, answeredMs: null, totalMs: 0 }, flags: [] }
}
