import { expect, test } from 'vitest'
import { appendTo, textEntry } from '../../../support/log-suite.ts'
import { closeAfterwards, describePostgres, kindOfRefusal } from '../../../support/postgres-tests.ts'
import { takeLog } from '../../../support/postgres-worlds.ts'

describePostgres('a world of PostgreSQL', (bench) => {
  const runOut = (name: string) =>
    bench.server.query(
      `UPDATE hookbench.worlds SET lease_until = now() - interval '1 hour' WHERE name = $1`,
      [name],
    )
  const leaseLeft = async (name: string) => {
    const [row] = await bench.server.query(
      'SELECT extract(epoch FROM lease_until - now())::float8 AS seconds FROM hookbench.worlds WHERE name = $1',
      [name],
    )
    return Number(row?.['seconds'])
  }

  test('has one writer, and others are told who it is and for how long', async () => {
    const [one, two] = [await bench.openNode({ node: 'one' }), await bench.openNode({ node: 'two' })]
    const { log } = await takeLog(one, 'shared')
    closeAfterwards(log)

    const { lease, taken } = await two.acquire('shared')

    expect([lease, taken?.node]).toEqual([undefined, 'one'])
    expect(taken?.leftMs).toBeGreaterThan(0)
    expect(taken?.leftMs).toBeLessThanOrEqual(10_000)
    expect(await two.acquire('unknown')).toEqual({})
  })

  test('is free at once when its log was closed', async () => {
    const [one, two] = [await bench.openNode({ node: 'one' }), await bench.openNode({ node: 'two' })]
    const name = bench.newName()
    const { log } = await takeLog(one, name)
    await appendTo(log, [textEntry(1)])
    log.close()
    await log.closed

    const next = await takeLog(two, name)
    closeAfterwards(next.log)

    expect([next.log.length, next.lease.world.node]).toEqual([1, 'two'])
  })

  test('is taken by another node when its lease has run out, and the first one appends nothing more', async () => {
    const [one, two] = [await bench.openNode({ node: 'one' }), await bench.openNode({ node: 'two' })]
    const name = bench.newName()
    const first = await takeLog(one, name)
    closeAfterwards(first.log)
    await appendTo(first.log, [textEntry(1)])
    await runOut(name)
    const second = await takeLog(two, name)
    closeAfterwards(second.log)

    const refused = await kindOfRefusal(() => appendTo(first.log, [textEntry(2)]))
    const again = await kindOfRefusal(() => appendTo(first.log, [textEntry(3)]))
    await appendTo(second.log, [textEntry(4)])

    expect([refused, again, first.log.length]).toEqual(['fenced', 'fenced', 1])
    expect(Array.from(second.log.heads(), ({ at }) => at)).toEqual([1, 4])
  })

  test('stays with the node whose lease ran out while nobody took it', async () => {
    const name = bench.newName()
    const { log } = await bench.openProxied({ name })
    await runOut(name)

    await appendTo(log, [textEntry(1)])

    expect([log.length, (await leaseLeft(name)) > 0]).toEqual([1, true])
  })

  test('has its lease extended while nothing is written', async () => {
    const name = bench.newName()
    await bench.openProxied({ name, durationMs: 600 })
    await runOut(name)

    await expect.poll(() => leaseLeft(name)).toBeGreaterThan(0)
  })

  test('is dropped by a node that finds, as it extends the lease, that another has it', async () => {
    const name = bench.newName()
    const { told } = await bench.openProxied({ name, durationMs: 600 })
    await bench.server.query(
      `UPDATE hookbench.worlds SET holder = 'other', node = 'two', epoch = epoch + 1 WHERE name = $1`,
      [name],
    )

    await expect.poll(() => told.at(-1)).toBe('fenced')
  })

  test('is regarded as lost by a node that heard nothing for as long as the lease, and is fenced after that', async () => {
    const name = bench.newName()
    const { log, lease, proxy, told } = await bench.openProxied({ name, durationMs: 3_000 })
    const two = await bench.openNode({ node: 'two' })
    await appendTo(log, [textEntry(1)])

    proxy.hold()
    await expect.poll(() => told).toEqual(['away'])
    const refused = await kindOfRefusal(() => appendTo(log, [textEntry(2)]))
    const isHeld = lease.isHeld
    await expect.poll(() => leaseLeft(name)).toBeLessThan(0)
    const second = await takeLog(two, name)
    closeAfterwards(second.log)
    proxy.open()
    proxy.cut()
    await expect.poll(() => told.at(-1)).toBe('fenced')

    expect([refused, isHeld, second.log.length]).toEqual(['away', false, 1])
  })

  test('that was removed is gone for the node that has it', async () => {
    const name = bench.newName()
    const { log, node } = await bench.openProxied({ name })
    await appendTo(log, [textEntry(1)])
    const [world] = await bench.server.query('SELECT id FROM hookbench.worlds WHERE name = $1', [name])
    await node.remove(String(world?.['id']))

    const refused = await kindOfRefusal(() => appendTo(log, [textEntry(2)]))

    const left = await bench.server.query(
      'SELECT count(*)::int AS count FROM hookbench.entries WHERE world NOT IN (SELECT number FROM hookbench.worlds)',
    )
    expect([refused, left[0]?.['count'], await node.find(name)]).toEqual(['gone', 0, undefined])
  })

  test('that lacks what was confirmed is closed with that message, and is not opened again', async () => {
    const name = bench.newName()
    const { log, lease, node } = await bench.openProxied({ name })
    await appendTo(log, [textEntry(1), textEntry(2)])
    await bench.server.query('DELETE FROM hookbench.entries WHERE world = $1 AND position = 2', [
      lease.world.number,
    ])
    await bench.server.query('UPDATE hookbench.worlds SET length = 1 WHERE name = $1', [name])

    const writing = appendTo(log, [textEntry(3)])

    const message = 'PostgreSQL has 1 entries, and had confirmed 2: a replica without the last ones'
    await expect(writing).rejects.toThrow(message)
    const refusal = await node.acquire(name).then(() => '', String)
    expect(refusal).toContain(message)
    await bench.server.query(/UPDATE .*/.exec(refusal)?.[0] ?? 'no statement')
    const accepted = await takeLog(node, name)
    closeAfterwards(accepted.log)
    expect(accepted.log.length).toBe(1)
  })

  /** As a replica does that lacks what the first one took the world by. */
  const giveToAnother = (name: string) =>
    bench.server.query(`UPDATE hookbench.worlds SET holder = 'other', node = 'two' WHERE name = $1`, [name])

  test('has one writer when a replica that took over gave the same epoch to another node', async () => {
    const name = bench.newName()
    const { log, lease } = await bench.openProxied({ name })
    await giveToAnother(name)

    const refused = await kindOfRefusal(() => appendTo(log, [textEntry(1)]))
    await lease.release()
    const [row] = await bench.server.query(
      'SELECT holder, length::int FROM hookbench.worlds WHERE name = $1',
      [name],
    )

    expect(refused).not.toBe('none')
    expect(row).toEqual({ holder: 'other', length: 0 })
  })

  test('is dropped by a node that finds, as it extends the lease, that a replica gave it to another', async () => {
    const name = bench.newName()
    const { told } = await bench.openProxied({ name, durationMs: 600 })
    await giveToAnother(name)

    await expect.poll(() => told.at(-1)).toMatch(/fenced|gone/)
  })

  const NOT_KNOWN = 'PostgreSQL does not know that this node took it'

  test.each([
    [
      'nobody has it',
      `holder = NULL, node = NULL, epoch = epoch - 1, length = 0`,
      'PostgreSQL has 0 entries',
    ],
    ['its last node has it', `holder = 'last', epoch = epoch - 1, length = 0`, 'PostgreSQL has 0 entries'],
    ['its last node wrote as much', `holder = 'last', epoch = epoch - 1`, NOT_KNOWN],
    ['another node took it', `holder = 'other', length = 0`, 'PostgreSQL has 0 entries'],
    ['another node took it, and wrote as much', `holder = 'other'`, NOT_KNOWN],
    ['others took it', `holder = 'other', epoch = epoch + 1, length = 1`, 'PostgreSQL has 1 entries'],
    ['it was not replaced', `holder = 'other', epoch = epoch + 1, generation = 0`, 'has generation 0'],
  ])('is closed by its node when a replica took over in which %s', async (_, change, message) => {
    const name = bench.newName()
    const { log, node } = await bench.openProxied({ name })
    await appendTo(log, [textEntry(1), textEntry(2)])
    await bench.server.query(`UPDATE hookbench.worlds SET lease_until = 'epoch', ${change} WHERE name = $1`, [
      name,
    ])

    const writing = await appendTo(log, [textEntry(3)]).then(() => '', String)
    const opening = await node.acquire(name).then(() => '', String)

    expect(writing).toContain(message)
    expect(opening).toContain(message)
  })

  test('is lost, and not closed, by a node that another one took it from by the rules', async () => {
    const name = bench.newName()
    const { log } = await bench.openProxied({ name })
    await appendTo(log, [textEntry(1)])
    await bench.server.query(
      `UPDATE hookbench.worlds SET holder = NULL, node = NULL, epoch = epoch + 1 WHERE name = $1`,
      [name],
    )

    const refused = await kindOfRefusal(() => appendTo(log, [textEntry(2)]))
    const [row] = await bench.server.query('SELECT problem FROM hookbench.worlds WHERE name = $1', [name])

    expect([refused, row]).toEqual(['fenced', { problem: null }])
  })
})
