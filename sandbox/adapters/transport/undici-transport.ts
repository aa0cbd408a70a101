import dns from 'node:dns'
import type { Pool } from 'undici'
import type { Egress, Refusal } from '../../engine/delivery/egress.ts'
import type { Exchange, Message, Outcome, Transport } from '../../engine/core/ports.ts'
import { createCall } from './call.ts'
import { createPool } from './connection.ts'
import { knownFailure, refusalOutcome } from './failure-outcomes.ts'
import { createGuardedConnector } from './guarded-connector.ts'
import type { Target } from './link.ts'
import { createBoundedLookup, type Lookup } from './lookup.ts'

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
  const names = createBoundedLookup(options.lookup ?? dns.lookup)
  const routes = createRoutes({ ...options, lookup: names.lookup })
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

/** Where the URL of a message leads. */
interface Route {
  readonly path: string
  readonly target: Target
  readonly pool: Pool
}

const MAX_ROUTES = 1_000

/** Remembers where URLs lead, since the same few are called again and again: the address of each new connection is checked. */
function createRoutes(options: UndiciTransportOptions & { readonly lookup: Lookup }) {
  const { egress, connectionsPerOrigin = DEFAULT_CONNECTIONS, dataFolder } = options
  const connector = createGuardedConnector(options)
  const routeByUrl = new Map<string, Route>()
  const originByName = new Map<string, Pick<Route, 'target' | 'pool'>>()

  function findOrigin({ origin, hostname, port }: URL, from: string | undefined) {
    const name = keyOf(origin, from)
    const known = originByName.get(name)
    if (known) return known

    const target = { hostname, port: port === '' ? 443 : Number(port), from, dataFolder }
    const opened = { target, pool: createPool(target, connector, connectionsPerOrigin) }
    originByName.set(name, opened)
    return opened
  }

  function forget(): void {
    routeByUrl.clear()
    for (const [name, { pool }] of originByName) {
      const { connected, size } = pool.stats
      if (connected + size === 0) originByName.delete(name)
    }
  }

  return {
    find({ url: raw, sourceAddress }: Message): Route | Refusal {
      const key = keyOf(raw, sourceAddress)
      const known = routeByUrl.get(key)
      if (known) return known

      const verdict = egress.judgeUrl(raw)
      if (verdict.kind === 'refused') return verdict.refusal

      if (routeByUrl.size >= MAX_ROUTES) forget()
      const { pathname, search } = verdict.url
      const route = { path: pathname + search, ...findOrigin(verdict.url, sourceAddress) }
      routeByUrl.set(key, route)
      return route
    },
    async close(): Promise<void> {
      const ends = [...originByName.values()].map(({ target, pool }) =>
        pool.destroy(knownFailure('interrupted', target)),
      )
      await Promise.all(ends)
    },
  }
}

function keyOf(url: string, from: string | undefined): string {
  return from === undefined ? url : `${from} ${url}`
}

function unsentExchange(outcome: Outcome): Exchange {
  return { outcome, timings: { connectedMs: null, answeredMs: null, totalMs: 0 }, flags: [] }
}
