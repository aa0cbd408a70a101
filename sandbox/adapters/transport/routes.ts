import type { Egress, Refusal } from '../../engine/delivery/egress.ts'
import { createConnectionPool, type ConnectionPool, type ConnectionPoolOptions } from './connection-pool.ts'
import type { Target } from './guarded-connector.ts'

/** Where the URL of a message leads. */
export interface Route {
  readonly path: string
  readonly pool: ConnectionPool
}

export interface Routes {
  /** `from` is the address of this machine to call from, if it matters. */
  to(url: string, from?: string): Route | { readonly refusal: Refusal }
  close(): Promise<void>
}

const MAX_ROUTES = 1_000

/** Remembers where URLs lead, since the same few are called again and again. */
export function createRoutes(
  egress: Egress,
  { dataFolder, ...options }: Omit<ConnectionPoolOptions, 'target'> & Pick<Target, 'dataFolder'>,
): Routes {
  const routeByUrl = new Map<string, Route>()
  const poolByOrigin = new Map<string, ConnectionPool>()

  function poolFor({ origin, hostname, port }: URL, from: string | undefined): ConnectionPool {
    const key = routeKey(origin, from)
    const known = poolByOrigin.get(key)
    if (known) return known

    const target = {
      hostname,
      port: port === '' ? 443 : Number(port),
      dataFolder,
      ...(from !== undefined && { from }),
    }
    const pool = createConnectionPool({ ...options, target })
    poolByOrigin.set(key, pool)
    return pool
  }

  function forget(): void {
    routeByUrl.clear()
    for (const [origin, pool] of poolByOrigin) {
      if (pool.isEmpty()) poolByOrigin.delete(origin)
    }
  }

  return {
    to(raw, from) {
      const key = routeKey(raw, from)
      const known = routeByUrl.get(key)
      if (known) return known

      const verdict = egress.judgeUrl(raw)
      if (verdict.kind === 'refused') return { refusal: verdict.refusal }

      // To remember an allowed URL is safe: the address of each new connection is checked.
      if (routeByUrl.size >= MAX_ROUTES) forget()
      const { pathname, search } = verdict.url
      const route = { path: pathname + search, pool: poolFor(verdict.url, from) }
      routeByUrl.set(key, route)
      return route
    },
    async close() {
      await Promise.all([...poolByOrigin.values()].map((pool) => pool.close()))
    },
  }
}

function routeKey(url: string, from: string | undefined): string {
  return from === undefined ? url : `${from} ${url}`
}
