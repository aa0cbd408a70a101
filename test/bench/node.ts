import { join } from 'node:path'
import { serveNode } from '../../sandbox/compose/nodes/serve-node.ts'
import type { OpenWorld } from '../../sandbox/compose/open-world.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'
import { BENCH_TOKEN, createAwaiting, type BenchWorld } from './sandbox.ts'

/** How a node is opened for a measurement, and a world on it. */
export interface NodeOpening {
  readonly folder: string
  /** The URL of the database. */
  readonly store: string
  readonly node: string
  /** The default one if left out. */
  readonly world?: string
}

const LEASE_MS = 10_000

/** A node as `up --store` has it, in this process, with one of the worlds open until it is closed. */
export async function openBenchNode({
  folder,
  store,
  node,
  world = 'default',
}: NodeOpening): Promise<BenchWorld> {
  const { onAttempt, ...awaiting } = createAwaiting()
  const served = await serveNode({
    store,
    node,
    identity: node,
    leaseMs: LEASE_MS,
    caFolder: join(folder, 'ca'),
    port: 0,
    benchPort: 0,
    benchToken: BENCH_TOKEN,
    allowTargets: [],
    settings: defaultSettings,
    concurrency: 64,
    onAttempt,
    onError: (where, error) => console.error(where, error),
    onTaken() {},
  })
  const { promise: opened, resolve, reject } = Promise.withResolvers<OpenWorld>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const using = served.use(world, (open) => {
    resolve(open)
    return ended
  })
  using.catch(reject)
  const { commit, context } = (await opened).assembled
  return {
    ...served,
    ...awaiting,
    commit,
    context,
    async close() {
      end()
      await using
      await served.close()
    },
  }
}
