import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nodeProcess } from '../../../support/node-process.ts'
import { lastSchema, nodesOf } from '../../../support/postgres-nodes.ts'
import { describePostgres } from '../../../support/postgres-tests.ts'

describePostgres('nodes of which one was killed', (bench) => {
  test('tell of a world that was left behind once, also where a call comes before it is looked for', async () => {
    const startNode = nodesOf(bench.server)
    const [a, b] = [await startNode('a'), await startNode('b')]
    const schema = await lastSchema(bench.server)
    await a.control('POST', '/worlds', { name: 'x' })
    await b.control('POST', '/worlds', { name: 'idle' })
    await a.control('POST', '/objects/items', {}, 'x')
    await b.control('GET', '/clock', undefined, 'idle')
    await bench.server.query(
      `UPDATE ${schema}.worlds SET holder = 'other', node = 'gone', epoch = epoch + 1, lease_until = now() - interval '1 second' WHERE name = 'x'`,
    )

    const { body } = await b.control('GET', '/objects/items', undefined, 'x')
    await b.control('POST', '/objects/items', {}, 'x')

    expect([body.objects.length, b.taken]).toEqual([1, ['x']])
  })

  test('remove a world whose time is over with all that it has, also where the node that had it was killed', async () => {
    const startNode = nodesOf(bench.server)
    const [a, b] = [await startNode('a'), await startNode('b')]
    const schema = await lastSchema(bench.server)
    await a.control('POST', '/worlds', { name: 'x', ttl_seconds: 2 })
    await a.control('POST', '/objects/items', {}, 'x')
    const [world] = await bench.server.query(
      `UPDATE ${schema}.worlds SET holder = 'other', node = 'gone', epoch = epoch + 1, lease_until = now() + interval '1 hour'
       WHERE name = 'x' RETURNING number`,
    )
    const countRows = async (table: string, column: string) => {
      const sql = `SELECT 1 FROM ${schema}.${table} WHERE ${column} = $1`
      return (await bench.server.query(sql, [world?.['number']])).length
    }

    await expect.poll(async () => (await b.control('GET', '/worlds')).body.worlds.length).toBe(1)
    await expect
      .poll(async () => [await countRows('worlds', 'number'), await countRows('entries', 'world')])
      .toEqual([0, 0])
  })

  test('print once that another goes on with its world, also where a call asks for that', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hookbench-left-'))
    const nodes = ['one', 'two'].map((name) =>
      nodeProcess({
        name,
        data: join(folder, name),
        store: bench.server.url({ schema: 's_left' }),
        leaseMs: 1_000,
      }),
    )
    onTestFinished(async () => {
      await Promise.all(nodes.map((node) => node.kill()))
      rmSync(folder, { recursive: true })
    })
    const read = async (index: number) => {
      const token = readFileSync(join(folder, 'one', 'token'), 'utf8').trim()
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(`${nodes[index]?.benchUrl}/control/clock`, { headers })).status
    }
    for (const node of nodes) await node.start()
    expect(await read(0)).toBe(200)

    await nodes[0]?.kill()
    await expect.poll(() => read(1)).toBe(200)
    expect(await read(1)).toBe(200)

    const said = await nodes[1]?.end()
    expect(said?.match(/World "default" had no node: this one goes on with it\n/g)).toHaveLength(1)
  })
})
