import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { Database } from '../../../../sandbox/adapters/postgres/database.ts'
import { openPostgresWorlds } from '../../../../sandbox/adapters/postgres/postgres-worlds.ts'
import { StorageError } from '../../../../sandbox/engine/state/log.ts'
import { describePostgres } from '../../../support/postgres-tests.ts'
import { testRegistry } from '../../../support/world-registries.ts'
import { worldPause, worldRecord } from '../../../support/world-records.ts'

const away = new StorageError('away', 'PostgreSQL is away')

describePostgres('the worlds of a PostgreSQL', (bench) => {
  /** With one beside the default one; statements that begin as `failures` say fail. */
  async function openWorlds() {
    const node = await bench.openNode()
    const failures: string[] = []
    const query: Database['query'] = async (sql, values) => {
      if (failures.some((start) => sql.trim().startsWith(start))) throw away
      return node.database.query(sql, values)
    }
    const own = { ...node, database: { ...node.database, query } }
    const [first, world] = [worldRecord('default'), worldRecord(bench.newName())]
    const worlds = await openPostgresWorlds(own, { first, onTaken() {} })
    await worlds.add(world)
    const holder = async () => {
      const sql = 'SELECT holder FROM hookbench.worlds WHERE id = $1'
      return (await bench.server.query(sql, [world.id]))[0]?.['holder']
    }
    return { worlds, world, failures, holder }
  }

  test.each([
    ['whether it is the one that was meant', 'SELECT id'],
    ['how it stood', 'WITH found'],
  ])('give a world back of which it cannot be read %s, and open it when it can', async (_, statement) => {
    const { worlds, world, failures, holder } = await openWorlds()
    const { registry } = testRegistry(worlds)
    const use = () => registry.use(world, holder)
    failures.push(statement)

    const refused = await use().catch((error: unknown) => error)
    const left = await holder()
    failures.pop()

    expect([refused, left]).toEqual([away, null])
    expect(await use()).toEqual(expect.any(String))
    await registry.closeAll()
  })

  test('keep nothing of a log that was closed but how its world stands', async () => {
    const { worlds, world } = await openWorlds()
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const openOnce = async () => {
      const log = await worlds.openLog(world)
      const indexes = { of: 'the world' }
      log.onProblem?.(() => indexes.of)
      log.close()
      await log.closed
      return new WeakRef(indexes)
    }
    const indexes = await openOnce()

    await expect
      .poll(() => {
        collect()
        return indexes.deref() === undefined
      })
      .toBe(true)
    const pause = worldPause({ chance: 7 })
    await worlds.keepPause(world, pause)
    expect(await worlds.takePause(world)).toEqual(pause)
  })
})
