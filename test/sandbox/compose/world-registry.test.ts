import { expect, test } from 'vitest'
import { createMemoryWorlds } from '../../support/stores.ts'
import type { Store } from '../../../sandbox/engine/state/store.ts'
import { WorldGoneError, type WorldDirectory } from '../../../sandbox/engine/state/world-directory.ts'
import { testRegistry } from '../../support/world-registries.ts'
import { worldRecord } from '../../support/world-records.ts'

const broken = new Error('The disk is broken')

/** A world whose directory fails as it does until it is mended, and how many stores of it are open. */
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

/** The store, with a call when it is closed. */
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

test.each(FAILURES)(
  'a world whose %s is opened by the next call when it can be, and takes nothing until then',
  async (_, failures) => {
    const { use, mend, registry, told, openStores } = await failing(() => failures)

    const refused = await use().catch((error: unknown) => error)
    const left = [openStores(), ...registry.ids()]
    mend()
    await use()

    expect([refused, left]).toEqual([broken, [0]])
    expect([told, openStores()]).toEqual([['opened shop', 'unopened shop', 'opened shop'], 1])
    await registry.closeAll()
    expect(openStores()).toBe(0)
  },
)

test('calls that wait for a world that cannot be opened are all refused', async () => {
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

test('a call that comes while all worlds are closed is refused', async () => {
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
