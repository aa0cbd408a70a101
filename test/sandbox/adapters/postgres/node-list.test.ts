import { expect, test } from 'vitest'
import { createNodeList } from '../../../../sandbox/adapters/postgres/node-list.ts'
import { describePostgres } from '../../../support/postgres-tests.ts'
import { takeLog } from '../../../support/postgres-worlds.ts'

const ADDRESSES = { serviceUrl: 'http://127.0.0.1:1', benchUrl: 'http://127.0.0.1:2', caPem: 'ca' }

describePostgres('the name of a node that was killed', (bench) => {
  /** A node of this name that took a world, and of which nothing is heard any more. */
  async function openKilled(name: string, aliveMs: number) {
    const node = await bench.openNode({ node: name })
    const list = createNodeList(node.database, { name, identity: 'one', aliveMs })
    await list.enter(ADDRESSES)
    const world = bench.newName()
    await takeLog(node, world)
    return { database: node.database, world, find: () => node.find(world) }
  }

  test('is refused on another data folder until it is counted as ended, and its worlds stay leased', async () => {
    const name = bench.newName()
    const { database, find } = await openKilled(name, 3_600_000)
    const other = createNodeList(database, { name, identity: 'two', aliveMs: 20_000 })

    await other.releaseLeft()

    await expect(other.enter(ADDRESSES)).rejects.toMatchObject({
      kind: 'unusable',
      message: `Cannot use node name "${name}": another node of this database has it, or had it when it was killed; give this one another with --node, start it on the data folder of that one, or try again in 20 seconds`,
    })
    expect((await find())?.node).toBe(name)
  })

  test('is free on another data folder then, and its worlds stay leased until that runs out', async () => {
    const name = bench.newName()
    const { database, find } = await openKilled(name, 0)
    const other = createNodeList(database, { name, identity: 'two', aliveMs: 20_000 })

    await other.releaseLeft()
    await other.enter(ADDRESSES)

    expect((await find())?.node).toBe(name)
  })

  test('is free at once on its own data folder, and so are its worlds', async () => {
    const name = bench.newName()
    const { database, find } = await openKilled(name, 3_600_000)
    const again = createNodeList(database, { name, identity: 'one', aliveMs: 20_000 })

    await again.releaseLeft()
    await again.enter(ADDRESSES)

    expect((await find())?.node).toBeNull()
  })
})
