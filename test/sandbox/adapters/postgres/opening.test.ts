import { expect, test } from 'vitest'
import { CorruptBodyError } from '../../../../sandbox/engine/state/log.ts'
import { appendTo, textEntry } from '../../../support/log-suite.ts'
import { closeAfterwards, describePostgres, kindOfRefusal } from '../../../support/postgres-tests.ts'
import { takeLog } from '../../../support/postgres-worlds.ts'

describePostgres('a world of PostgreSQL that is opened', (bench) => {
  /** Closed, with so many entries, the first part of them behind a checkpoint. */
  async function fillWorld(count: number) {
    const [node, name] = [await bench.openNode(), bench.newName()]
    const { log, lease } = await takeLog(node, name)
    const entries = Array.from({ length: count }, (_, index) => textEntry(index + 1))
    await appendTo(log, entries)
    log.writeCheckpoint({ position: Math.ceil(count / 2), bytes: Buffer.from('of the half') })
    log.close()
    await log.closed
    const change = (sql: string) => bench.server.query(`${sql} AND world = ${lease.world.number}`)
    const open = async () => {
      const taken = await takeLog(node, name)
      closeAfterwards(taken.log)
      return taken.log
    }
    return { entries, open, change }
  }

  test('gives what is read before it has come', async () => {
    const { entries, open } = await fillWorld(3_000)
    const log = await open()

    const read = [1, 1_400, 2_999].map((position) => log.read(position))
    const heads = Array.from(log.heads(), ({ at }) => at)
    const checkpoint = log.readCheckpoint()

    expect(read).toEqual([entries[0], entries[1_399], entries[2_998]])
    expect(heads).toEqual(entries.map(({ head }) => head.at))
    expect(checkpoint?.position).toBe(1_500)
  })

  test('has all heads before it starts where another version wrote the checkpoint', async () => {
    const { log, proxy, name, node } = await bench.openProxied()
    await appendTo(
      log,
      Array.from({ length: 3_000 }, (_, index) => textEntry(index + 1)),
    )
    log.writeCheckpoint({ position: 2_000, bytes: Buffer.from('of another version') })
    log.close()
    await log.closed
    const { log: again } = await takeLog(node, name)
    closeAfterwards(again)
    proxy.refuse()

    expect(Array.from(again.heads(), ({ at }) => at)).toHaveLength(3_000)
  })

  test('has all of it here before long, and needs PostgreSQL no more for what is read', async () => {
    const { entries } = await fillWorld(10)
    const { log, proxy, name, node } = await bench.openProxied()
    await appendTo(log, entries)
    log.close()
    await log.closed
    const { log: again } = await takeLog(node, name)
    closeAfterwards(again)
    // What is written comes behind what is filled in.
    await appendTo(again, [textEntry(11)])
    await again.filled
    proxy.refuse()

    expect(Array.from({ length: 11 }, (_, index) => again.read(index + 1).head.at)).toEqual([
      ...entries.map(({ head }) => head.at),
      11,
    ])
  })

  test('says which entry is not what was written', async () => {
    const { open, change } = await fillWorld(20)
    await change(`UPDATE hookbench.entries SET head = replace(head, '3', '4') WHERE position = 3`)
    await change(`UPDATE hookbench.entries SET body = 'other' WHERE position = 4`)
    await change(`UPDATE hookbench.entries SET position = 100 WHERE position = 5`)
    const log = await open()

    expect(() => log.read(3)).toThrow('entry 3 is not what was written')
    expect(() => log.read(4)).toThrow(CorruptBodyError)
    expect(() => log.read(5)).toThrow('entry 5 is missing')
    expect(() => [...log.heads()]).toThrow('entry 3 is not what was written')
    expect(log.read(6)).toEqual(textEntry(6))
  })

  test('has no last entries that are not there', async () => {
    const { open, change } = await fillWorld(20)
    await change('DELETE FROM hookbench.entries WHERE position = 20')
    const log = await open()

    expect(await kindOfRefusal(() => [...log.heads(15)])).toBe('damaged')
  })

  test.each([
    ['bytes', `SET bytes = 'of the hale'`],
    ['position', 'SET position = 9'],
    ['entry', 'SET head_sum = 1'],
  ])('is opened without a checkpoint whose %s is not what was written', async (_, change) => {
    const world = await fillWorld(20)
    await world.change(`UPDATE hookbench.checkpoints ${change} WHERE true`)

    const log = await world.open()

    expect([log.readCheckpoint(), Array.from(log.heads()).length]).toEqual([undefined, 20])
  })
})
