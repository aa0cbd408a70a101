import { expect, test } from 'vitest'
import { appendTo, textEntry } from '../../../support/log-suite.ts'
import { describePostgres, kindOfRefusal } from '../../../support/postgres-tests.ts'

describePostgres('the log of a world, when PostgreSQL is away,', (bench) => {
  const lengthOf = async (name: string) => {
    const [row] = await bench.server.query('SELECT length::int FROM hookbench.worlds WHERE name = $1', [name])
    return row?.['length']
  }

  test('takes nothing and gives back what it has, and goes on when it is back', async () => {
    const { log, proxy, told } = await bench.openProxied()
    await appendTo(log, [textEntry(1)])

    proxy.refuse()
    const refusals = [
      await kindOfRefusal(() => appendTo(log, [textEntry(2)])),
      await kindOfRefusal(() => log.recover?.()),
      await kindOfRefusal(() => log.append([textEntry(3)])),
    ]
    const meanwhile = [log.length, log.read(1)]
    proxy.open()
    await expect.poll(() => told).toEqual(['away', undefined])
    log.recover?.()
    await appendTo(log, [textEntry(4)])

    expect([refusals, meanwhile]).toEqual([
      ['away', 'away', 'away'],
      [1, textEntry(1)],
    ])
    expect(Array.from(log.heads(), ({ at }) => at)).toEqual([1, 4])
  })

  test('takes in what was committed and not answered', async () => {
    const { log, name, proxy, told } = await bench.openProxied()
    await appendTo(log, [textEntry(1)])

    proxy.swallow()
    const writing = kindOfRefusal(() => appendTo(log, [textEntry(2), textEntry(3)]))
    await expect.poll(() => lengthOf(name)).toBe(3)
    proxy.refuse()
    const refused = await writing
    const meanwhile = log.length
    proxy.open()
    await expect.poll(() => told).toEqual(['away', undefined])
    log.recover?.()
    await appendTo(log, [textEntry(4)])

    expect([refused, meanwhile]).toEqual(['away', 1])
    expect(Array.from({ length: 4 }, (_, index) => log.read(index + 1).body)).toEqual(
      [1, 2, 3, 4].map((at) => `text ${at}`),
    )
  })

  test('forgets what did not arrive', async () => {
    const { log, name, proxy, told } = await bench.openProxied()
    await appendTo(log, [textEntry(1)])

    proxy.hold()
    const writing = kindOfRefusal(() => appendTo(log, [textEntry(2)]))
    proxy.refuse()
    const refused = await writing
    proxy.open()
    await expect.poll(() => told).toEqual(['away', undefined])
    log.recover?.()

    expect([refused, log.length, await lengthOf(name)]).toEqual(['away', 1, 1])
  })

  test('waits for what is still being carried out when the connection is gone', async () => {
    const { log, name, proxy, told } = await bench.openProxied()
    const blocker = await bench.openNode()
    const { worlds } = blocker.database.tables
    const isWaiting = async (count: number) => {
      const rows = await bench.server.query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%' || $1 || '%'`,
        ['worlds'],
      )
      return rows.length >= count
    }
    const blocked = bench.server.query(
      `DO $$ BEGIN
         PERFORM 1 FROM ${worlds} WHERE name = '${name}' FOR UPDATE;
         FOR each IN 1..6000 LOOP
           EXIT WHEN (SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock') >= 2;
           PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
         END LOOP;
       END $$`,
    )
    await expect
      .poll(() => bench.server.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`))
      .toHaveLength(1)

    const writing = kindOfRefusal(() => appendTo(log, [textEntry(1)]))
    await expect.poll(() => isWaiting(1)).toBe(true)
    proxy.cut()
    const refused = await writing
    await blocked
    await expect.poll(() => told).toEqual(['away', undefined])
    log.recover?.()

    expect([refused, log.length, await lengthOf(name)]).toEqual(['away', 1, 1])
  })

  test('goes on after a restart of the server', async () => {
    const { log, told } = await bench.openProxied()
    await appendTo(log, [textEntry(1)])

    await bench.server.stop('immediate')
    const refused = await kindOfRefusal(() => appendTo(log, [textEntry(2)]))
    await bench.server.start()
    await expect.poll(() => told.at(-1)).toBe(undefined)
    log.recover?.()
    await appendTo(log, [textEntry(3)])

    expect(refused).toBe('away')
    expect(Array.from(log.heads(), ({ at }) => at)).toEqual([1, 3])
  })
})
