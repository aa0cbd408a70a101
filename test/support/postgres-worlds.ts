import { randomUUID } from 'node:crypto'
import { openPostgresNode, type PostgresNode } from '../../sandbox/adapters/postgres/postgres-node.ts'
import type { PostgresLog } from '../../sandbox/adapters/postgres/postgres-log.ts'
import type { Lease } from '../../sandbox/adapters/postgres/lease.ts'
import type { Log } from '../../sandbox/engine/state/log.ts'
import { createReopening, type LogDriver } from './log-drivers.ts'
import type { PostgresServer } from './postgres.ts'

/** The log of a world of a node, and the lease that it writes by. */
export interface TakenLog {
  readonly log: PostgresLog
  readonly lease: Lease
}

/** Takes a world, which is made if it is not there, and opens its log. */
export async function takeLog(node: PostgresNode, name: string): Promise<TakenLog> {
  await node.add({ id: randomUUID(), name })
  const { lease, taken } = await node.acquire(name)
  if (!lease) throw new Error(`World "${name}" is taken by "${taken?.node}" for ${taken?.leftMs} ms`)
  return { log: await node.openLog(lease), lease }
}

/** Each log is of a world of its own, by a node of its own. */
export function postgresDriver(server: () => PostgresServer): LogDriver {
  return {
    name: 'PostgreSQL',
    async open() {
      const node = await openPostgresNode(server().url(), { node: 'one' })
      const name = `w-${randomUUID().slice(0, 8)}`
      const open = async () => (await takeLog(node, name)).log
      const opened: Log[] = []
      const opening = async () => {
        const log = await open()
        opened.push(log)
        return log
      }
      return {
        ...createReopening(await opening(), opening),
        async end() {
          for (const log of opened) {
            log.close()
            await log.closed
          }
          await node.close()
        },
      }
    },
  }
}
