import { expect, onTestFinished, test } from 'vitest'
import { createMemoryWorlds } from '../../support/stores.ts'
import type { Store } from '../../../sandbox/engine/state/store.ts'
import type { WorldDirectory } from '../../../sandbox/engine/state/world-directory.ts'
import { WorldGoneError, type WorldRecord } from '../../../sandbox/engine/state/world-record.ts'
import { worldPause, worldRecord } from '../../support/control-records.ts'
import { createWorldTimes } from '../../../sandbox/compose/idle-worlds.ts'
import { manualTime } from '../../support/test-sandbox.ts'
import * as clocks from '../../../sandbox/adapters/real-time.ts'
import type { SharedParts } from '../../../sandbox/compose/open-world.ts'
import { onlyWorld } from '../../../sandbox/compose/world-administration.ts'
import { createWorldRegistry } from '../../../sandbox/compose/world-registry.ts'
import { defaultSettings } from '../../../sandbox/engine/core/settings.ts'
import { createEgress } from '../../../sandbox/engine/delivery/egress.ts'
import { scriptedTransport } from '../../support/scripted-transport.ts'

type WorldTime = Parameters<typeof createWorldRegistry>[0]['realTime']

const broken = new Error('The disk is broken')

function breakDown(): never {
  throw broken
}

async function failing(fails: (directory: WorldDirectory) => Partial<WorldDirectory>) {
  const [world, directory] = [worldRecord('shop'), createMemoryWorlds()]
  await directory.add(world)
  let failures: Partial<WorldDirectory> | undefined = fails(directory)
  let openStores = 0
  const { registry } = testRegistry({
    ...directory,
    takePause(record) {
      return (failures?.takePause ?? directory.takePause)(record)
    },
    openStore(record) {
      const store = (failures?.openStore ?? directory.openStore)(record)
      openStores++
      return withClose(store, () => openStores--)
    },
  })
  return {
    world,
    registry,
    openStores: () => openStores,
    repair: () => (failures = undefined),
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
  ['store cannot be opened', { openStore: breakDown }],
  ['pause cannot be read', { takePause: breakDown }],
]

test.each(FAILURES)('a call opens a world after a call that failed because its %s', async (_, failures) => {
  const { world, use, repair, registry, openStores } = await failing(() => failures)

  const refused = await use().catch((error: unknown) => error)
  const left = [openStores(), registry.isOpen(world.id)]
  repair()
  await use()

  expect([refused, left]).toEqual([broken, [0, false]])
  expect([openStores(), registry.isOpen(world.id)]).toEqual([1, true])
  await registry.closeAll()
  expect(openStores()).toBe(0)
})

test('all waiting calls are rejected when a world cannot be opened', async () => {
  const { world, use, registry } = await failing(() => ({ takePause: breakDown }))

  const refused = await Promise.all(
    [use(), use(), use()].map((call) => call.catch((error: unknown) => error)),
  )

  expect(refused).toEqual([broken, broken, broken])
  expect(registry.isOpen(world.id)).toBe(false)
})

test('a call is rejected while the registry closes all worlds', async () => {
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
  const unopenable = new Set<string>()
  const { registry, errors } = testRegistry(
    {
      ...directory,
      openStore(world) {
        if (unopenable.has(world.name)) throw broken
        return directory.openStore(world)
      },
      remove: (id, close) => (unopenable.size > 0 ? Promise.reject(broken) : directory.remove(id, close)),
    },
    realTime,
  )
  onTestFinished(() => registry.closeAll())
  const add = (world: WorldRecord, wakeAt: number | null = null) =>
    directory.add(world, async () => worldPause({ wakeAt }))
  const open = (...worlds: readonly WorldRecord[]) => worlds.map(({ id }) => registry.isOpen(id))
  return { directory, realTime, registry, unopenable, errors, add, open }
}

test('a closed world is reopened shortly before its work is due', async () => {
  const { registry, realTime, add, open } = keeping()
  const a = worldRecord('a')
  await add(a, realTime.now() + 10_000)
  registry.start()
  realTime.move(9_000)
  expect(open(a)).toEqual([false])
  realTime.move(950)
  await expect.poll(() => open(a)).toEqual([true])
})

test('a world is opened when the sandbox starts if it was not closed cleanly', async () => {
  const { registry, realTime, add, open } = keeping()
  const [a, b] = [worldRecord('a'), worldRecord('b')]
  await add(a, 0)
  await add(b)
  registry.start()
  realTime.move(1)
  await expect.poll(() => open(a, b)).toEqual([true, false])
})

test('a world with due work is opened again after a failed opening or removal', async () => {
  const { registry, realTime, unopenable, add, open } = keeping()
  const [a, b, c] = [worldRecord('a'), worldRecord('b'), worldRecord('c')]
  await add(a, realTime.now() + 1_000)
  await add(b, realTime.now() + 1_000)
  await add(c)
  registry.start()
  unopenable.add('a').add('c')
  for (const world of [a, c]) await registry.use(world, async () => {}).catch(() => {})
  await registry.remove(b).catch(() => {})
  unopenable.clear()
  realTime.move(59_000)
  expect(open(a, b, c)).toEqual([false, false, false])
  realTime.move(1_000)
  await expect.poll(() => open(a, b, c)).toEqual([true, true, false])
})

test('a world is removed when it expires, or at the next start of the sandbox', async () => {
  const { registry, directory, realTime, errors, add } = keeping()
  await add(worldRecord('a', { expiresAt: realTime.now() + 5_000 }))
  await add(worldRecord('b', { expiresAt: realTime.now() - 1 }))
  await add(worldRecord('c'))
  registry.start()
  realTime.move(1)
  await expect.poll(async () => directory.list().map(({ name }) => name)).toEqual(['a', 'c'])
  realTime.move(5_000)
  await expect.poll(async () => directory.list().map(({ name }) => name)).toEqual(['c'])
  expect(errors).toEqual([])
})

test('overdue worlds are reported together after the machine wakes from sleep, and no world is reported after a stop', () => {
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

function testRegistry(directory: WorldDirectory, realTime: WorldTime = clocks.realTime) {
  const errors: unknown[] = []
  const allowTargets: readonly string[] = []
  const shared: SharedParts = {
    options: {
      caFolder: '',
      port: 0,
      benchPort: 0,
      allowTargets,
      settings: defaultSettings,
      onError: (_, error) => errors.push(error),
    },
    egress: createEgress({ allowTargets, ownPorts: () => [] }),
    transportOf: () => ({ ...scriptedTransport(), cut() {} }),
    worldsOf: onlyWorld,
    tokenKey: new Uint8Array(32),
    rootToken: 'root',
    startedAt: 0,
    serviceUrl: () => '',
    benchUrl: () => '',
    ca: { certificatePem: '', issue: () => Promise.reject(new Error('There is no CA')) },
  }
  return { registry: createWorldRegistry({ directory, shared, realTime, graceMs: 1_000 }), errors }
}
