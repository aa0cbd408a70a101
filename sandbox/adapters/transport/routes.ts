import type { Egress, Refusal } from '../../engine/delivery/egress.ts'
import { createConnections, type Connections, type ConnectionsOptions } from './connections.ts'

/** Where the URL of a message leads. */
export interface Route {
  readonly path: string
  readonly connections: Connections
}

export interface Routes {
  /** `from` is the address of this machine to call from, if it matters. */
  to(url: string, from?: string): Route | { readonly refusal: Refusal }
  close(): Promise<void>
}

const MAX_ROUTES = 1_000

/** Remembers where URLs lead, since the same few are called again and again. */
export function createRoutes(egress: Egress, options: Omit<ConnectionsOptions, 'target'>): Routes {
  const routeByUrl = new Map<string, Route>()
  const connectionsByOrigin = new Map<string, Connections>()

  function connectionsTo({ origin, hostname, port }: URL, from: string | undefined): Connections {
    const key = keyOf(origin, from)
    const known = connectionsByOrigin.get(key)
    if (known) return known

    const target = { hostname, port: port === '' ? 443 : Number(port), ...(from !== undefined && { from }) }
    const connections = createConnections({ ...options, target })
    connectionsByOrigin.set(key, connections)
    return connections
  }

  function forget(): void {
    routeByUrl.clear()
    for (const [origin, connections] of connectionsByOrigin) {
      if (connections.isEmpty()) connectionsByOrigin.delete(origin)
    }
  }

  return {
    to(raw, from) {
      const key = keyOf(raw, from)
      const known = routeByUrl.get(key)
      if (known) return known

      const verdict = egress.judgeUrl(raw)
      if (verdict.kind === 'refused') return { refusal: verdict.refusal }

      // To remember an allowed URL is safe: each new connection is judged by its address.
      if (routeByUrl.size >= MAX_ROUTES) forget()
      const { pathname, search } = verdict.url
      const route = { path: pathname + search, connections: connectionsTo(verdict.url, from) }
      routeByUrl.set(key, route)
      return route
    },
    async close() {
      await Promise.all([...connectionsByOrigin.values()].map((connections) => connections.close()))
    },
  }
}

function keyOf(url: string, from: string | undefined): string {
  return from === undefined ? url : `${from} ${url}`
}
