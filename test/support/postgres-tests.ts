import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { openPostgresNode, type PostgresNode } from '../../sandbox/adapters/postgres/postgres-node.ts'
import type { Log, StorageError } from '../../sandbox/engine/state/log.ts'
import { takeLog, type TakenLog } from './postgres-worlds.ts'
import { startPostgres, type PostgresServer } from './postgres.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** What tests with a server of PostgreSQL begin with. Whatever they open is closed after them. */
export interface PostgresBench {
  readonly server: PostgresServer
  /** A name that no other test has. */
  newName(): string
  openNode(options?: NodeOptions): Promise<PostgresNode>
  /** A log behind a proxy, by a node of its own, and what it said of its problems. */
  openProxied(options?: NodeOptions & { readonly name?: string }): Promise<ProxiedLog>
}

interface NodeOptions {
  readonly node?: string
  readonly durationMs?: number
  readonly port?: number
  readonly patienceMs?: number
}

export interface ProxiedLog extends TakenLog {
  readonly name: string
  readonly proxy: TcpProxy
  readonly node: PostgresNode
  readonly told: readonly (string | undefined)[]
}

/** Tests that share one server. They are skipped if PostgreSQL is missing. */
export function describePostgres(name: string, define: (bench: PostgresBench) => void): void {
  describe(name, { tags: 'postgresql' }, () => {
    let started: PostgresServer | undefined
    beforeAll(async () => {
      started = await startPostgres()
    })
    afterAll(() => started?.remove())
    define(createBench(() => started))
  })
}

function createBench(find: () => PostgresServer | undefined): PostgresBench {
  const bench: PostgresBench = {
    get server() {
      const server = find()
      if (!server) throw new Error('The server was not started')
      return server
    },
    newName: () => `w-${randomUUID().slice(0, 8)}`,
    async openNode({ port, ...options } = {}) {
      const url = bench.server.url(port === undefined ? {} : { port })
      const node = await openPostgresNode(url, { node: 'one', ...options })
      onTestFinished(() => node.close())
      return node
    },
    async openProxied({ name = bench.newName(), ...options } = {}) {
      const proxy = await startTcpProxy(bench.server.port)
      onTestFinished(() => proxy.close())
      const node = await bench.openNode({ port: proxy.port, ...options })
      const taken = await takeLog(node, name)
      closeAfterwards(taken.log)
      const told: (string | undefined)[] = []
      taken.log.onProblem?.((problem) => told.push(problem?.kind))
      return { ...taken, name, proxy, node, told }
    },
  }
  return bench
}

export function closeAfterwards(log: Log): void {
  onTestFinished(async () => {
    log.close()
    await log.closed
  })
}

/** The kind of problem that something is refused for; `none` if it is not. */
export async function kindOfRefusal(act: () => unknown): Promise<string> {
  try {
    await act()
    return 'none'
  } catch (error) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a log throws nothing else
    return (error as StorageError).kind
  }
}
