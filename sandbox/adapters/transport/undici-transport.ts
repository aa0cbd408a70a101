import dns from 'node:dns'
import type { Pool } from 'undici'
import type { Exchange, Outcome, Transport } from '../../engine/core/ports.ts'
import type { Egress } from '../../engine/delivery/egress.ts'
import { createCall } from './call.ts'
import { createPool } from './connection.ts'
import { knownFailure, refusalOutcome } from './failure-outcomes.ts'
import { createGuardedConnector } from './guarded-connector.ts'
import { createBoundedLookup, type Lookup } from './lookup.ts'
import type { Target } from './link.ts'

export interface UndiciTransportOptions {
  /** PEM of CAs to trust besides Node's public roots. Read at each new connection. */
  readonly trustedCas: () => readonly string[]
  readonly egress: Egress
  /** Defaults to `dns.lookup`. */
  readonly lookup?: Lookup
  /** The limit of calls in flight to one origin. Further calls wait, within their deadline. Defaults to 64. */
  readonly connectionsPerOrigin?: number
  /** The data folder for commands in messages. Defaults to the default one. */
  readonly dataFolder?: string | undefined
}

export interface UndiciTransport extends Transport {
  /** Ends calls in flight as interrupted and closes all connections, so that the process can exit. */
  close(): Promise<void>
}

interface Origin {
  readonly target: Target
  readonly pool: Pool
}

const DEFAULT_CONNECTIONS = 64
const MAX_ORIGINS = 1_000

const CLOSED: Outcome = {
  kind: 'unanswered',
  reason: 'interrupted',
  message: 'Cannot send: the sandbox is being stopped',
}

/** Sends over HTTPS/1.1 on kept connections. Follows no redirect, decodes nothing, uses no proxy. */
export function createUndiciTransport(options: UndiciTransportOptions): UndiciTransport {
  const { egress, connectionsPerOrigin = DEFAULT_CONNECTIONS, dataFolder } = options
  const names = createBoundedLookup(options.lookup ?? dns.lookup)
  const connector = createGuardedConnector({ ...options, lookup: names.lookup })
  const originByKey = new Map<string, Origin>()
  let isClosed = false

  function findOrigin({ origin, hostname, port }: URL, from: string | undefined): Origin {
    const key = from === undefined ? origin : `${from} ${origin}`
    const known = originByKey.get(key)
    if (known) return known

    if (originByKey.size >= MAX_ORIGINS) dropUnused(originByKey)
    const target = { hostname, port: port === '' ? 443 : Number(port), from, dataFolder }
    const opened = { target, pool: createPool(target, connector, connectionsPerOrigin) }
    originByKey.set(key, opened)
    return opened
  }

  return {
    post(message, deadlineMs) {
      if (isClosed) return Promise.resolve(unsentExchange(CLOSED))
      const verdict = egress.judgeUrl(message.url)
      if (verdict.kind === 'refused') return Promise.resolve(unsentExchange(refusalOutcome(verdict.refusal)))

      const { pathname, search } = verdict.url
      const { target, pool } = findOrigin(verdict.url, message.sourceAddress)
      return new Promise((resolve) => {
        const call = createCall({ message, path: pathname + search, target, deadlineMs }, resolve)
        pool.dispatch(call.options, call)
      })
    },
    async close() {
      isClosed = true
      names.close()
      const ends = [...originByKey.values()].map(({ target, pool }) =>
        pool.destroy(knownFailure('interrupted', target)),
      )
      await Promise.all(ends)
    },
  }
}

function dropUnused(originByKey: Map<string, Origin>): void {
  for (const [key, { pool }] of originByKey) {
    const { connected, size } = pool.stats
    if (connected + size === 0) originByKey.delete(key)
  }
}

function unsentExchange(outcome: Outcome): Exchange {
  return { outcome, timings: { connectedMs: null, answeredMs: null, totalMs: 0 }, flags: [] }
}
