import { expect, onTestFinished, test } from 'vitest'
import { createClockAndRandom } from '../../../../sandbox/adapters/clock-and-random.ts'
import { timestamp } from '../../../../sandbox/engine/core/timestamp.ts'
import { createStore } from '../../../../sandbox/engine/state/store.ts'
import { closeAfterwards, describePostgres } from '../../../support/postgres-tests.ts'
import { takeLog } from '../../../support/postgres-worlds.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

describePostgres('a sandbox on PostgreSQL', (bench) => {
  async function openSandbox() {
    const opened = await bench.openProxied()
    const sandbox = testSandbox({ log: opened.log })
    await sandbox.register()
    return { ...opened, sandbox, sent: () => sandbox.transport.messages.length - 1 }
  }

  test('answers reads while PostgreSQL is away, refuses changes, sends nothing, and goes on when it is back', async () => {
    const { sandbox, proxy, sent } = await openSandbox()
    await sandbox.control('POST', '/objects/items', {})
    await sandbox.idle()
    proxy.refuse()

    const refused = await sandbox.control('POST', '/objects/items', {})
    const again = await sandbox.control('POST', '/deliveries', { url: 'https://localhost:9443/x', body: {} })
    const { status } = await sandbox.control('GET', '/jobs')
    const sentMeanwhile = sent()
    proxy.open()
    await expect.poll(() => sandbox.problems.map((problem) => problem?.kind)).toEqual(['away', undefined])
    const taken = await sandbox.control('POST', '/objects/items', {})
    await sandbox.idle()

    expect([refused.status, refused.body.error.code, again.status, status]).toEqual([
      503,
      'storage_away',
      503,
      200,
    ])
    expect([sentMeanwhile, taken.status, sent(), sandbox.errors]).toEqual([1, 201, 2, []])
    await sandbox.close()
  })

  test('sends nothing before the start of the attempt is committed', async () => {
    const { sandbox, proxy, name, sent } = await openSandbox()
    await sandbox.control('POST', '/clock/advance', { by: '1s' })
    proxy.swallow()
    const making = sandbox.control('POST', '/objects/items', {})
    await expect
      .poll(async () => {
        const sql = `SELECT 1 FROM hookbench.entries e JOIN hookbench.worlds w ON w.number = e.world
          WHERE w.name = $1 AND e.head LIKE '%"kind":"job"%'`
        return (await bench.server.query(sql, [name])).length
      })
      .toBe(1)
    const sentMeanwhile = sent()
    proxy.cut()
    proxy.open()
    const { status } = await making
    await expect.poll(() => sandbox.problems.length).toBe(2)
    await sandbox.idle()

    // Its outcome was unknown, and it was committed.
    expect([status, sentMeanwhile, sent()]).toEqual([503, 0, 1])
    expect(sandbox.store.jobs().map((job) => job.status)).toEqual(['success'])
    await sandbox.close()
  })

  test('answers a reset 503 while it is not known whether PostgreSQL has done it, and is reset if it had', async () => {
    const { sandbox, proxy, name } = await openSandbox()
    await sandbox.control('POST', '/objects/items', {})
    await sandbox.idle()
    await bench.server.query(`
      CREATE FUNCTION hookbench.wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$;
      CREATE TRIGGER wait BEFORE UPDATE ON hookbench.worlds FOR EACH ROW
        WHEN (NEW.name = '${name}' AND NEW.generation <> OLD.generation) EXECUTE FUNCTION hookbench.wait()`)
    onTestFinished(async () => void (await bench.server.query('DROP FUNCTION hookbench.wait CASCADE')))

    const resetting = sandbox.control('POST', '/reset')
    await expect
      .poll(() => bench.server.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`))
      .toHaveLength(1)
    proxy.refuse()
    // As long as it cannot be reached.
    const { status, body } = await resetting
    const meanwhile = await sandbox.control('GET', '/jobs')
    proxy.open()
    await expect.poll(() => sandbox.problems.map((problem) => problem?.kind)).toEqual(['away', undefined])
    const { body: after } = await sandbox.control('GET', '/jobs')

    expect([status, body.error.code, meanwhile.body.jobs.length]).toEqual([503, 'storage_away', 1])
    expect([after.jobs, sandbox.errors]).toEqual([[], []])
    await sandbox.close()
  })

  test('is as it was when the next node opens it, after a reset and a restored snapshot, too', async () => {
    const { sandbox, node, name } = await openSandbox()
    await sandbox.control('POST', '/objects/items', {})
    await sandbox.idle()
    const { body: snapshot } = await sandbox.control('GET', '/snapshot')
    const reset = await sandbox.control('POST', '/reset')
    const { body: empty } = await sandbox.control('GET', '/jobs')
    const restored = await sandbox.control('PUT', '/snapshot', snapshot)
    await sandbox.control('POST', '/objects/users', {})
    const { body: before } = await sandbox.control('GET', '/jobs')
    await sandbox.close()

    const next = testSandbox({ log: (await takeLog(node, name)).log })
    const { body: after } = await next.control('GET', '/jobs')
    await next.close()

    expect([reset.status, empty.jobs, restored.status]).toEqual([200, [], 200])
    expect(after.jobs).toEqual(before.jobs)
    expect(before.jobs).toHaveLength(1)
  })

  test('has the clock of a restored snapshot when another node goes on after a kill', async () => {
    const other = testSandbox()
    await other.control('POST', '/objects/items', {})
    const { body: snapshot } = await other.control('GET', '/snapshot')
    await other.close()
    const { sandbox, name } = await openSandbox()
    const { body: restored } = await sandbox.control('PUT', '/snapshot', snapshot)
    await bench.server.query(
      `UPDATE hookbench.worlds SET lease_until = now() - interval '1 hour' WHERE name = $1`,
      [name],
    )

    const { log } = await takeLog(await bench.openNode({ node: 'two' }), name)
    closeAfterwards(log)
    const { clock } = createClockAndRandom({}, createStore(log, queueMicrotask))

    expect([clock.mode, timestamp(clock.now())]).toEqual([restored.mode, restored.now])
    await sandbox.close()
  })

  test('says to the first change, too, that a replica without the last entries has taken the place', async () => {
    const { sandbox, lease } = await openSandbox()
    const { number } = lease.world
    await bench.server.query(
      `DELETE FROM hookbench.entries e USING hookbench.worlds w WHERE w.number = e.world AND w.number = $1 AND e.position = w.length`,
      [number],
    )
    await bench.server.query('UPDATE hookbench.worlds SET length = length - 1 WHERE number = $1', [number])

    const first = await sandbox.control('POST', '/objects/items', {})
    const second = await sandbox.control('POST', '/objects/items', {})

    expect([first.status, first.body.error.code]).toEqual([507, 'storage_gone'])
    expect(first.body.error.message).toContain('a replica without the last ones may have taken its place')
    expect(second).toEqual(first)
    expect(sandbox.errors).toEqual([])
    await sandbox.close()
  })
})
