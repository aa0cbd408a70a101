import type { Egress, Refusal } from '../delivery/egress.ts'
import { createConnections, type Connections, type ConnectionsOptions } from './connections.ts'

/** Where the URL of a message leads. */
export interface Route {
  readonly path: string
  readonly connections: Connections
}

export interface Routes {
  to(url: string): Route | { readonly refusal: Refusal }
  close(): Promise<void>
}

const MAX_ROUTES = 1_000

/** Remembers where URLs lead, since the same few are called again and again. */
export function createRoutes(egress: Egress, options: Omit<ConnectionsOptions, 'target'>): Routes {
  const routeByUrl = new Map<string, Route>()
  const connectionsByOrigin = new Map<string, Connections>()

  function connectionsTo({ origin, hostname, port }: URL): Connections {
    const known = connectionsByOrigin.get(origin)
    if (known) return known

    const target = { hostname, port: port === '' ? 443 : Number(port) }
    const connections = createConnections({ ...options, target })
    connectionsByOrigin.set(origin, connections)
    return connections
  }

  function forget(): void {
    routeByUrl.clear()
    for (const [origin, connections] of connectionsByOrigin) {
      if (connections.isEmpty()) connectionsByOrigin.delete(origin)
    }
  }

  return {
    to(raw) {
      const known = routeByUrl.get(raw)
      if (known) return known

      const verdict = egress.judgeUrl(raw)
      if (verdict.kind === 'refused') return { refusal: verdict.refusal }

      // To remember an allowed URL is safe: each new connection is judged by its address.
      if (routeByUrl.size >= MAX_ROUTES) forget()
      const { pathname, search } = verdict.url
      const route = { path: pathname + search, connections: connectionsTo(verdict.url) }
      routeByUrl.set(raw, route)
      return route
    },
    async close() {
      await Promise.all([...connectionsByOrigin.values()].map((connections) => connections.close()))
    },
  }
}
