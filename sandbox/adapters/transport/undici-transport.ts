import dns from 'node:dns'
import type { Pool } from 'undici'
import type { Exchange, HttpMessage, Outcome, Transport } from '../../engine/core/ports.ts'
import type { Egress, Refusal } from '../../engine/delivery/egress.ts'
import { createCall } from './call.ts'
import { createPool } from './connection.ts'
import { knownFailure, refusalOutcome } from './failure-outcomes.ts'
import { createGuardedConnector } from './guarded-connector.ts'
import { createBoundedLookup, type Lookup } from './lookup.ts'
import type { Target } from './link.ts'

export interface UndiciTransportOptions {
  /** Returns the PEM certificates of CAs that are trusted besides Node's public roots. Called for each new connection. */
  readonly trustedCas: () => readonly string[]
  readonly egress: Egress
  readonly lookup?: Lookup
  /** The maximum number of calls in flight to one origin. Excess calls wait, at most until their deadline. Defaults to 64. */
  readonly connectionsPerOrigin?: number
  /** The data folder for commands that error messages suggest. Defaults to the standard data folder. */
  readonly dataFolder?: string | undefined
}

export interface UndiciTransport extends Transport {
  /** Interrupts calls in flight and closes all connections, so that the process can exit. */
  close(): Promise<void>
}

interface TargetOrigin {
  readonly target: Target
  readonly pool: Pool
}

interface TargetRoute extends TargetOrigin {
  readonly path: string
}

const DEFAULT_CONNECTIONS = 64
const MAX_ROUTES = 1_000

const CLOSED: Outcome = {
  kind: 'unanswered',
  reason: 'interrupted',
  message: 'Cannot send: the sandbox is being stopped',
}

/** Sends HTTP/1.1 over TLS on reused connections. Does not follow redirects, decode responses or use a proxy. */
export function createUndiciTransport(options: UndiciTransportOptions): UndiciTransport {
  const names = createBoundedLookup(options.lookup ?? dns.lookup)
  const routes = createRoutes(options, names.lookup)
  let isClosed = false

  return {
    post(message, deadlineMs) {
      if (isClosed) return Promise.resolve(unsentExchange(CLOSED))
      const route = routes.find(message)
      if ('code' in route) return Promise.resolve(unsentExchange(refusalOutcome(route)))

      return new Promise((resolve) => {
        const call = createCall({ ...route, message, deadlineMs }, resolve)
        route.pool.dispatch(call.options, call)
      })
    },
    async close() {
      isClosed = true
      names.close()
      await routes.close()
    },
  }
}

/** Caches the connection pools of recently used URLs. The remote address of each new connection is still checked. */
function createRoutes(options: UndiciTransportOptions, lookup: Lookup) {
  const { egress, connectionsPerOrigin = DEFAULT_CONNECTIONS, dataFolder } = options
  const connector = createGuardedConnector({ ...options, lookup })
  const originByKey = new Map<string, TargetOrigin>()
  const routeByUrl = new Map<string, TargetRoute>()

  function openOrigin({ origin, hostname, port }: URL, from: string | undefined): TargetOrigin {
    const key = `${from} ${origin}`
    const known = originByKey.get(key)
    if (known) return known

    const target = { hostname, port: port === '' ? 443 : Number(port), from, dataFolder }
    const opened = { target, pool: createPool(target, connector, connectionsPerOrigin) }
    originByKey.set(key, opened)
    return opened
  }

  function dropUnused(): void {
    routeByUrl.clear()
    for (const [key, { pool }] of originByKey) {
      const { connected, size } = pool.stats
      if (connected + size === 0) originByKey.delete(key)
    }
  }

  return {
    find({ url: raw, sourceAddress }: HttpMessage): TargetRoute | Refusal {
      const key = `${sourceAddress} ${raw}`
      const known = routeByUrl.get(key)
      if (known) return known

      const verdict = egress.judgeUrl(raw)
      if (verdict.kind === 'refused') return verdict.refusal
      if (routeByUrl.size >= MAX_ROUTES) dropUnused()
      const { pathname, search } = verdict.url
      const route = { ...openOrigin(verdict.url, sourceAddress), path: pathname + search }
      routeByUrl.set(key, route)
      return route
    },
    async close(): Promise<void> {
      const ends = [...originByKey.values()].map(({ target, pool }) =>
        pool.destroy(knownFailure('interrupted', target)),
      )
      await Promise.all(ends)
    },
  }
}

function unsentExchange(outcome: Outcome): Exchange {
  return { outcome, timings: { connectedMs: null, answeredMs: null, totalMs: 0 }, flags: [] }
}
