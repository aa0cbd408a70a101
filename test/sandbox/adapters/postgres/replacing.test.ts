import { expect, test } from 'vitest'
import { createStore } from '../../../../sandbox/engine/state/store.ts'
import { appendTo, textEntry } from '../../../support/log-suite.ts'
import { closeAfterwards, describePostgres, type ProxiedLog } from '../../../support/postgres-tests.ts'
import { takeLog } from '../../../support/postgres-worlds.ts'

describePostgres('everything of a world of PostgreSQL', (bench) => {
  const placeOf = async (name: string) => {
    const [row] = await bench.server.query(
      'SELECT generation::int, length::int FROM hookbench.worlds WHERE name = $1',
      [name],
    )
    return row
  }
  const rowsOf = async ({ lease }: Pick<ProxiedLog, 'lease'>) => {
    const rows = await bench.server.query(
      'SELECT generation::int, count(*)::int FROM hookbench.entries WHERE world = $1 GROUP BY generation',
      [lease.world.number],
    )
    return rows.map(({ generation, count }) => [generation, count])
  }

  async function openStaged() {
    const opened = await bench.openProxied()
    const store = createStore(opened.log, queueMicrotask)
    await store.commit([textEntry(1), textEntry(2)])
    const staged = store.stage()
    staged.add([textEntry(11), textEntry(12), textEntry(13)])
    await staged.prepare()
    let published = 0
    const publish = () => staged.publish(() => published++)
    return { ...opened, store, staged, publish, published: () => published }
  }

  test('is replaced in one statement, and what gave its place up is removed', async () => {
    const opened = await openStaged()
    const before = await rowsOf(opened)

    await opened.publish()
    await opened.store.commit([textEntry(14)])

    expect(before).toEqual([
      [1, 2],
      [2, 3],
    ])
    expect([opened.published(), opened.store.latestAt()]).toEqual([1, 14])
    expect(await placeOf(opened.name)).toEqual({ generation: 2, length: 4 })
    await expect.poll(() => rowsOf(opened)).toEqual([[2, 4]])
  })

  test('is as it was where the node ends in between, and what was left is removed by the next one', async () => {
    const opened = await openStaged()
    opened.log.close()
    await opened.log.closed

    const next = await takeLog(await bench.openNode(), opened.name)
    closeAfterwards(next.log)

    expect(Array.from(next.log.heads(), ({ at }) => at)).toEqual([1, 2])
    await expect.poll(() => rowsOf(opened)).toEqual([[1, 2]])
  })

  test('is not replaced where the order to do it did not arrive, and the caller is told so', async () => {
    const { store, publish, published, proxy, name, log } = await openStaged()
    proxy.hold()
    const publishing = publish().catch((error: Error & { readonly kind?: string }) => error.kind)
    proxy.refuse()
    await expect.poll(() => store.problem?.kind).toBe('away')
    proxy.open()

    expect(await publishing).toBe('away')
    await expect.poll(() => store.problem).toBeUndefined()
    await store.commit([textEntry(3)])
    expect([published(), log.length]).toEqual([0, 3])
    expect(await placeOf(name)).toEqual({ generation: 1, length: 3 })
  })

  test('is replaced where that was done and not answered, once PostgreSQL is back', async () => {
    const { store, publish, published, proxy, name, log } = await openStaged()
    proxy.swallow()
    const publishing = publish()
    await expect.poll(() => placeOf(name)).toEqual({ generation: 2, length: 3 })
    const meanwhile = published()
    proxy.refuse()
    await expect.poll(() => store.problem?.kind).toBe('away')
    proxy.open()
    await publishing

    await expect.poll(() => store.problem).toBeUndefined()
    await store.commit([textEntry(14)])
    expect([meanwhile, published(), log.length, store.latestAt()]).toEqual([0, 1, 4, 14])
  })

  test('is not staged by a node that another has fenced', async () => {
    const { log, name } = await bench.openProxied()
    await appendTo(log, [textEntry(1)])
    const staged = log.stage?.()
    staged?.add([textEntry(11)])
    await bench.server.query(
      `UPDATE hookbench.worlds SET holder = 'other', node = 'two', epoch = epoch + 1 WHERE name = $1`,
      [name],
    )

    await expect(staged?.prepare?.()).rejects.toMatchObject({ kind: 'fenced' })
  })
})
