import { expect, test } from 'vitest'
import { startNodeWatch, type NodeWatchPorts } from '../../../../sandbox/compose/nodes/node-watch.ts'
import {
  DEFAULT_WORLD,
  WorldElsewhereError,
  type WorldRecord,
} from '../../../../sandbox/engine/state/world-directory.ts'
import { defaultCredentials } from '../../../../sandbox/engine/core/settings.ts'
import { manualTime } from '../../../support/manual-time.ts'

const world = (name: string, expiresAt: number | null = null): WorldRecord => ({
  id: name,
  name,
  credentials: defaultCredentials,
  controlToken: name,
  createdAt: 0,
  expiresAt,
})

/** A node over a list of worlds that need one; what it does is told. */
function openWatch({ use, listed = [] }: { use: () => void; listed?: readonly WorldRecord[] }) {
  const realTime = manualTime()
  const told: string[] = []
  const tell = (what: string) => async (id: string) => void told.push(`${what} ${id}`)
  const worlds = {
    first: world(DEFAULT_WORLD),
    list: async () => listed,
    orphans: async () => [world('left')],
    owners: async () => new Map(),
    remove: tell('remove'),
    removeUnfinished: async () => {},
  }
  const ports = {
    worlds,
    registry: {
      ids: () => ['gone', 'kept', DEFAULT_WORLD],
      drop: tell('drop'),
      close: tell('close'),
      use: async ({ name }: WorldRecord, run: () => Promise<void>) => {
        use()
        told.push(`use ${name}`)
        await run()
      },
    },
    nodes: { beat: async () => {} },
    router: { passesOn: false, cutLeft() {} },
    realTime,
    leaseMs: 10_000,
    onError: (where: string) => told.push(`failed ${where}`),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it does not ask for is left out
  const watch = startNodeWatch(ports as unknown as NodeWatchPorts)
  return {
    told,
    watch,
    async looks(count: number) {
      for (let look = 0; look < count; look++) {
        await new Promise(setImmediate)
        realTime.move(500)
      }
      await new Promise(setImmediate)
    },
  }
}

test('takes up what is left, drops what was removed elsewhere, and removes what has expired', async () => {
  const { told, watch, looks } = openWatch({ use() {}, listed: [world('kept'), world('over', 1)] })
  await looks(0)
  await watch.close()

  expect(told).toEqual(['drop gone', 'use left', 'remove over'])
})

test('tells once in a minute of a world that cannot be opened, and of one that another node took not at all', async () => {
  const listed = [world('gone'), world('kept')]
  const failing = openWatch({
    listed,
    use() {
      throw new Error('It cannot')
    },
  })
  const late = openWatch({
    listed,
    use() {
      throw new WorldElsewhereError(world('left'), { node: 'other' })
    },
  })
  for (const { looks, watch } of [failing, late]) {
    await looks(10)
    await watch.close()
  }

  expect([failing.told, late.told]).toEqual([['failed world "left"'], []])
})
