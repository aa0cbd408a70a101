import { expect, test } from 'vitest'
import { openPostgresNode } from '../../../../sandbox/adapters/postgres/postgres-node.ts'
import { describePostgres } from '../../../support/postgres-tests.ts'

describePostgres('the tables of a schema', (bench) => {
  const versionsOf = async (schema: string) =>
    (await bench.server.query(`SELECT version FROM ${schema}.versions ORDER BY version`)).map(
      ({ version }) => version,
    )
  const start = async (schema: string) => {
    const node = await openPostgresNode(bench.server.url({ schema }), { node: 'one' })
    await node.close()
  }

  test('are made once by however many first starts there are at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => start('together')))
    await start('together')

    expect(await versionsOf('together')).toEqual([1, 2, 3])
  })

  test('of a later version are refused with what to do, and left as they are', async () => {
    await start('later')
    await bench.server.query('INSERT INTO later.versions VALUES (99, now())')

    await expect(start('later')).rejects.toMatchObject({
      kind: 'unusable',
      message:
        'Cannot use schema "later": its version is 99, and this Hookbench knows 3; use the Hookbench that the other nodes have, or another schema with ?schema= in the URL',
    })
    expect(await versionsOf('later')).toEqual([1, 2, 3, 99])
  })

  test('serve a user who may use them and make nothing', async () => {
    await start('given')
    await bench.server.query(`
      CREATE USER guest; GRANT USAGE ON SCHEMA given TO guest;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA given TO guest
    `)
    const url = (schema: string) => bench.server.url({ schema }).replace('postgres@', 'guest@')

    const node = await openPostgresNode(url('given'), { node: 'one' })
    await node.add({ id: '1', name: 'new' })
    const found = await node.find('new')
    await node.close()

    expect(found?.length).toBe(0)
    await expect(openPostgresNode(url('new_one'), { node: 'one' })).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringMatching(/permission denied.*; look to the URL and the rights of its user$/),
    })
  })

  test('are in a database that is there, or its name and no password is told', async () => {
    const url = `postgres://postgres:very-secret@127.0.0.1:${bench.server.port}/none`

    const opening = openPostgresNode(url, { node: 'one' })

    await expect(opening).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringMatching(/database "none" does not exist/),
    })
    await expect(opening).rejects.not.toMatchObject({ message: expect.stringContaining('very-secret') })
  })

  test('cannot be reached where nobody listens', async () => {
    await expect(
      openPostgresNode('postgres://postgres@127.0.0.1:1/postgres', { node: 'one' }),
    ).rejects.toMatchObject({ kind: 'away', message: expect.stringContaining('ECONNREFUSED') })
  })
})
