import { expect, test } from 'vitest'
import { createMemoryWorlds } from '../../support/stores.ts'
import type { Store } from '../../../sandbox/engine/state/store.ts'
import type { WorldDirectory } from '../../../sandbox/engine/state/world-directory.ts'
import { WorldGoneError, type WorldRecord } from '../../../sandbox/engine/state/world-record.ts'
import { worldPause, worldRecord } from '../../support/control-records.ts'
import { createWorldKeeper } from '../../../sandbox/compose/world-keeper.ts'
import { createWorldTimes } from '../../../sandbox/compose/world-times.ts'
import { manualTime } from '../../support/test-sandbox.ts'
import * as clocks from '../../../sandbox/adapters/real-time.ts'
import type { SharedParts } from '../../../sandbox/compose/open-world.ts'
import { onlyWorld } from '../../../sandbox/compose/world-administration.ts'
import { createWorldRegistry, type WorldRegistry } from '../../../sandbox/compose/world-registry.ts'
import { defaultSettings } from '../../../sandbox/engine/core/settings.ts'
import { createEgress } from '../../../sandbox/engine/delivery/egress.ts'
import { scriptedTransport } from '../../support/scripted-transport.ts'

const broken = new Error('The disk is broken')

async function failing(fails: (directory: WorldDirectory) => Partial<WorldDirectory>) {
  const [world, directory] = [worldRecord('shop'), createMemoryWorlds()]
  await directory.add(world)
  let failures: Partial<WorldDirectory> | undefined = fails(directory)
  let openStores = 0
  const given: WorldDirectory = {
    ...directory,
    takePause(record) {
      return (failures?.takePause ?? directory.takePause)(record)
    },
    openStore(record) {
      const store = (failures?.openStore ?? directory.openStore)(record)
      openStores++
      return withClose(store, () => openStores--)
    },
  }
  const { registry, told } = testRegistry(given)
  return {
    world,
    registry,
    told,
    openStores: () => openStores,
    mend: () => (failures = undefined),
    use: () => registry.use(world, async ({ assembled }) => assembled.store.length > 0),
  }
}

function withClose(store: Store, onClose: () => void): Store {
  return Object.defineProperty(store, 'close', {
    value() {
      onClose()
    },
  })
}

const FAILURES: readonly (readonly [what: string, Partial<WorldDirectory>])[] = [
  [
    'store cannot be opened',
    {
      openStore() {
        throw broken
      },
    },
  ],
  [
    'pause cannot be read',
    {
      takePause() {
        throw broken
      },
    },
  ],
]

test.each(FAILURES)('a world is opened by a later call when its %s', async (_, failures) => {
  const { use, mend, registry, told, openStores } = await failing(() => failures)

  const refused = await use().catch((error: unknown) => error)
  const left = [openStores(), ...registry.ids()]
  mend()
  await use()

  expect([refused, left]).toEqual([broken, [0]])
  expect([told, openStores()]).toEqual([['opened shop', 'unopened shop', 'opened shop'], 1])
  await registry.closeAll()
  expect(openStores()).toBe(0)
})

test('all waiting calls are rejected when a world cannot be opened', async () => {
  const { use, registry } = await failing(() => ({
    takePause() {
      throw broken
    },
  }))

  const refused = await Promise.all(
    [use(), use(), use()].map((call) => call.catch((error: unknown) => error)),
  )

  expect(refused).toEqual([broken, broken, broken])
  expect(registry.ids()).toEqual([])
})

test('a call during the close of all worlds is rejected', async () => {
  const [world, directory] = [worldRecord('shop'), createMemoryWorlds()]
  await directory.add(world)
  const use = () => registry.use(world, async () => {})
  let refused: Promise<unknown> | undefined
  const { registry } = testRegistry({
    ...directory,
    keepPause() {
      refused = use().catch((error: unknown) => error)
    },
  })
  await use()

  await registry.closeAll()

  expect(await refused).toEqual(new WorldGoneError(world))
})

function keeping() {
  const [directory, realTime] = [createMemoryWorlds(), manualTime()]
  const events: string[] = []
  const errors: unknown[] = []
  const keeper = createWorldKeeper({
    directory,
    registry: {
      use: (world, run) => {
        events.push(`open ${world.name}`)
        return run({} as never, {} as never)
      },
      close: async (id) => void events.push(`close ${id}`),
    },
    realTime,
    onError: (_, error) => errors.push(error),
    onRemoved() {},
  })
  const add = (world: WorldRecord, wakeAt: number | null = null) =>
    directory.add(world, async () => worldPause({ wakeAt }))
  return { directory, realTime, keeper, events, errors, add }
}

test('a closed world is opened shortly before its due work', async () => {
  const { keeper, realTime, events, add } = keeping()
  const [a, b] = [worldRecord('a'), worldRecord('b')]
  await add(a, realTime.now() + 10_000)
  await add(b, realTime.now() + 10_000)
  keeper.start()
  keeper.onOpened(b)
  realTime.move(9_000)
  expect(events).toEqual([])
  realTime.move(950)
  await expect.poll(() => events).toEqual(['open a'])
})

test('a world is opened at the start when it was not closed cleanly', async () => {
  const { keeper, realTime, events, add } = keeping()
  await add(worldRecord('a'), 0)
  await add(worldRecord('b'))
  keeper.start()
  realTime.move(1)
  await expect.poll(() => events).toEqual(['open a'])
})

test('a world with due work is opened again after a failed opening or removal', async () => {
  const { keeper, directory, realTime, events, add } = keeping()
  const [a, b, c] = [worldRecord('a'), worldRecord('b'), worldRecord('c')]
  await add(a, realTime.now() + 1_000)
  await add(b, realTime.now() + 1_000)
  await add(c)
  keeper.start()
  for (const world of [a, c]) {
    keeper.onOpened(world)
    keeper.onUnopened(world)
  }
  const remove = directory.remove
  directory.remove = () => Promise.reject(new Error('It cannot'))
  await keeper.remove(b).catch(() => {})
  directory.remove = remove
  realTime.move(59_000)
  expect(events).toEqual([])
  realTime.move(1_000)
  await expect.poll(() => events).toEqual(['open a', 'open b'])
})

test('an expired world is removed at its end or at the start', async () => {
  const { keeper, directory, realTime, events, errors, add } = keeping()
  await add(worldRecord('a', { expiresAt: realTime.now() + 5_000 }))
  await add(worldRecord('b', { expiresAt: realTime.now() - 1 }))
  await add(worldRecord('c'))
  keeper.start()
  realTime.move(1)
  await expect.poll(async () => directory.list().map(({ name }) => name)).toEqual(['a', 'c'])
  realTime.move(5_000)
  await expect.poll(async () => directory.list().map(({ name }) => name)).toEqual(['c'])
  expect([events, errors]).toEqual([['close id-of-b', 'close id-of-a'], []])
})

test('overdue times fire together after a sleep and not after a stop', () => {
  const realTime = manualTime()
  const due: string[] = []
  const times = createWorldTimes(realTime, (id) => due.push(id))
  times.set('a', realTime.now() + 1_000)
  times.set('b', realTime.now() + 90_000)
  times.set('c', realTime.now() + 2_000)
  times.set('c', null)
  realTime.move(200_000)
  realTime.move(0)
  expect(due).toEqual(['a', 'b'])
  times.set('d', realTime.now() + 1)
  times.stop()
  realTime.move(10)
  expect(due).toEqual(['a', 'b'])
})

function testRegistry(directory: WorldDirectory): {
  readonly registry: WorldRegistry
  readonly told: readonly string[]
} {
  const told: string[] = []
  const transport = scriptedTransport()
  const registry = createWorldRegistry({
    directory,
    shared: { ...sharedParts(), transport },
    transportOf: () => ({ ...transport, cut() {} }),
    worldsOf: (world) => onlyWorld(world, () => true),
    realTime: clocks.realTime,
    graceMs: 1_000,
    idleMs: 60_000,
    onOpened: ({ name }) => told.push(`opened ${name}`),
    onUnopened: ({ name }) => told.push(`unopened ${name}`),
    onPaused: ({ name }) => told.push(`paused ${name}`),
  })
  return { registry, told }
}

function sharedParts(): Omit<SharedParts, 'transport'> {
  const allowTargets: readonly string[] = []
  return {
    options: {
      caFolder: '',
      port: 0,
      benchPort: 0,
      allowTargets,
      settings: defaultSettings,
      onError(where, error) {
        throw new Error(where, { cause: error })
      },
    },
    egress: createEgress({ allowTargets, ownPorts: () => [] }),
    mostPosts: 10,
    tokenKey: new Uint8Array(32),
    rootToken: 'root',
    startedAt: 0,
    serviceUrl: () => '',
    benchUrl: () => '',
    ca: { certificatePem: '', issue: () => Promise.reject(new Error('There is no CA')) },
  }
}
