import { expect, test } from 'vitest'
import { lastSchema, nodesOf } from '../../../support/postgres-nodes.ts'
import { describePostgres } from '../../../support/postgres-tests.ts'

describePostgres('a node whose PostgreSQL has lost what it had confirmed', (bench) => {
  test('answers the first change as those that follow: 507, with the cause', async () => {
    const node = await nodesOf(bench.server)('a')
    await node.control('POST', '/objects/items', {})
    const worlds = `${await lastSchema(bench.server)}.worlds`
    await bench.server.query(`UPDATE ${worlds} SET length = length - 1`)

    const first = await node.control('POST', '/objects/items', {})
    const second = await node.control('POST', '/objects/items', {})
    const read = await node.control('GET', '/objects/items')

    const answers = [first, second, read].map(({ status, body }) => [status, body.error.code])
    expect(answers).toEqual(Array.from({ length: 3 }, () => [507, 'storage_gone']))
    const cause = 'a replica without the last ones may have taken its place'
    expect([first, second].map(({ body }) => body.error.message.includes(cause))).toEqual([true, true])
    expect(node.problems).toEqual(['gone'])
  })
})
