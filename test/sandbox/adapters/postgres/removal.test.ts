import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgresWorlds } from '../../../../sandbox/adapters/postgres/postgres-worlds.ts'
import type { WorldRecord } from '../../../../sandbox/engine/state/world-directory.ts'
import { appendTo, textEntry } from '../../../support/log-suite.ts'
import { closeAfterwards, describePostgres } from '../../../support/postgres-tests.ts'
import { worldRecord } from '../../../support/world-records.ts'

describePostgres('the removal of a world of PostgreSQL', (bench) => {
  const query = (sql: string, ...values: readonly unknown[]) => bench.server.query(sql, values)

  async function openWorlds() {
    const node = await bench.openNode()
    const worlds = await openPostgresWorlds(node, { first: worldRecord('default'), onTaken() {} })
    return { node, worlds }
  }

  /** With entries and a checkpoint. */
  async function addFilled({ worlds }: Pick<Awaited<ReturnType<typeof openWorlds>>, 'worlds'>) {
    const world = worldRecord(bench.newName())
    await worlds.add(world, async (log) => {
      await appendTo(log, [textEntry(1), textEntry(2)])
      log.writeCheckpoint({ position: 1, bytes: Buffer.from('of the first') })
      log.close()
      await log.closed
      return undefined
    })
    const [row] = await query('SELECT number FROM hookbench.worlds WHERE id = $1', world.id)
    return { world, number: Number(row?.['number']) }
  }

  async function countRows(number: number): Promise<readonly number[]> {
    const tables = { worlds: 'number', records: 'world', checkpoints: 'world', entries: 'world' }
    const counts = Object.entries(tables).map(([table, column]) =>
      query(`SELECT 1 FROM hookbench.${table} WHERE ${column} = $1`, number),
    )
    return (await Promise.all(counts)).map((rows) => rows.length)
  }

  /** As if nobody had been at it for long. */
  async function leave({ id }: WorldRecord): Promise<void> {
    await query(`UPDATE hookbench.worlds SET lease_until = '-infinity' WHERE id = $1`, id)
    await query(
      `UPDATE hookbench.records SET is_whole = false, made_at = '-infinity'
       WHERE world = (SELECT number FROM hookbench.worlds WHERE id = $1)`,
      id,
    )
  }

  /** Each change of a kind to rows of a world does so first; returns a function that ends that. */
  async function beforeEach(change: string, number: number, act: string): Promise<() => Promise<void>> {
    const name = `hookbench.act_${number}`
    await query(`
      CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN ${act}; RETURN coalesce(NEW, OLD); END $$;
      CREATE TRIGGER act_${number} BEFORE ${change} ON hookbench.entries FOR EACH ROW
        WHEN (${change === 'INSERT' ? 'NEW' : 'OLD'}.world = ${number}) EXECUTE FUNCTION ${name}()`)
    return async () => void (await query(`DROP FUNCTION ${name} CASCADE`))
  }

  /** A connection of the test's own, which can hold what others wait for. */
  async function connect(): Promise<Client> {
    const client = new Client(bench.server.url())
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }

  const waiting = async (what: string) =>
    (await query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`, what))
      .length

  test('leaves nothing, and is gone through with by whoever comes when it was broken off', async () => {
    const opened = await openWorlds()
    const { world, number } = await addFilled(opened)
    const mend = await beforeEach('DELETE', number, `RAISE EXCEPTION 'The disk is broken'`)

    const broken = await opened.worlds.remove(world.id, async () => {}).catch(() => 'broken')
    const { taken } = await opened.node.acquire(world.name)
    await mend()
    await leave(world)
    const before = await countRows(number)
    await opened.worlds.removeUnfinished()

    expect([broken, taken?.node, before]).toEqual(['broken', 'one', [1, 1, 1, 2]])
    expect(await countRows(number)).toEqual([0, 0, 0, 0])
  })

  test('leaves nothing of a world that could not be closed, either', async () => {
    const { worlds } = await openWorlds()
    const { world, number } = await addFilled({ worlds })
    closeAfterwards(await worlds.openLog(world))

    const broken = worlds.remove(world.id, () => Promise.reject(new Error('It cannot')))

    await expect(broken).rejects.toThrow('It cannot')
    expect(await countRows(number)).toEqual([0, 0, 0, 0])
  })

  test('leaves a world alone that has the name of one that another node has removed meanwhile', async () => {
    const opened = await openWorlds()
    const [held, left] = [await addFilled(opened), await addFilled(opened)]
    for (const { world } of [held, left]) await leave(world)
    const client = await connect()
    await client.query('BEGIN')
    await client.query('SELECT 1 FROM hookbench.worlds WHERE number = $1 FOR UPDATE', [held.number])
    const removing = opened.worlds.removeUnfinished()
    await expect.poll(() => waiting('%hookbench%worlds%')).toBe(1)

    await query('DELETE FROM hookbench.worlds WHERE number = $1', left.number)
    const anew = worldRecord(left.world.name, { id: 'anew' })
    await opened.worlds.add(anew)
    await client.query('COMMIT')
    await removing

    expect(await countRows(held.number)).toEqual([0, 0, 0, 0])
    expect(await opened.worlds.find('name', anew.name)).toEqual(anew)
    expect((await opened.node.find(anew.name))?.length).toBe(0)
  })

  test('leaves a world alone that somebody goes on to add', async () => {
    const opened = await openWorlds()
    const { world, number } = await addFilled(opened)
    await leave(world)
    await opened.node.acquire(world.name)

    await opened.node.removeUnfinished(world.id)

    expect((await countRows(number))[0]).toBe(1)
  })

  test('waits for what is being written beside the entries, and removes it', async () => {
    const opened = await openWorlds()
    const { world, number } = await addFilled(opened)
    const log = await opened.worlds.openLog(world)
    closeAfterwards(log)
    const client = await connect()
    await client.query('SELECT pg_advisory_lock(77)')
    const mend = await beforeEach('INSERT', number, 'PERFORM pg_advisory_xact_lock(77)')
    const staged = log.stage?.() ?? expect.fail('it stages entries')
    staged.add([textEntry(3)])
    const preparing = staged.prepare?.()
    await expect.poll(() => waiting('%INSERT INTO%')).toBe(1)

    let isRemoved = false
    const removing = opened.node.remove(world.id).then(() => (isRemoved = true))
    await expect.poll(async () => isRemoved || (await waiting('%SET holder%')) === 1).toBe(true)
    await client.query('SELECT pg_advisory_unlock(77)')
    await preparing
    await removing
    await mend()

    expect(await countRows(number)).toEqual([0, 0, 0, 0])
  })
})
