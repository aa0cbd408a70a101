import { describe, expect, test } from 'vitest'
import type { Entry } from '../../sandbox/engine/state/entries.ts'
import type { Log } from '../../sandbox/engine/state/log.ts'
import { createStore } from '../../sandbox/engine/state/store.ts'
import type { LogDriver } from './log-drivers.ts'

/** An entry with a body of any text. */
export function textEntry(at: number, body = `text ${at}`): Entry {
  return { head: { kind: 'secret', at, set_at: at }, body }
}

/** Appends, and waits until it is kept. */
export async function appendTo(log: Log, entries: readonly Entry[]): Promise<void> {
  log.append(entries)
  await log.sync?.()
}

/** In place of all others, as a store does it. */
async function replaceAll(log: Log, entries: readonly Entry[]): Promise<void> {
  const staged = createStore(log, queueMicrotask).stage()
  staged.add(entries)
  await staged.prepare()
  await staged.publish(() => {})
}

const readAll = (log: Log) => Array.from({ length: log.length }, (_, index) => log.read(index + 1))
const instants = (log: Log, after?: number) => Array.from(log.heads(after), ({ at }) => at)

/** The promises of the port `Log`, of each of its drivers. */
export function describeLog({ name, open }: LogDriver): void {
  describe(`the ${name} log`, () => {
    test('gives back what was appended, in order, now and after it was opened again', async () => {
      const { log, reopened, end } = await open()
      const entries = Array.from({ length: 700 }, (_, index) => textEntry(index + 1))
      await appendTo(log, entries.slice(0, 3))
      await appendTo(log, entries.slice(3))

      const before = readAll(log)
      const after = await reopened()

      expect([before, readAll(after)]).toEqual([entries, entries])
      expect([instants(after).length, instants(after, 698)]).toEqual([700, [699, 700]])
      after.close()
      await after.closed
      await end()
    })

    test('gives back texts as they were', async () => {
      const { log, reopened, end } = await open()
      const texts = [
        '',
        '\0',
        'a\0b',
        '\u0001',
        '\u0001"x"',
        '"\\',
        '🎲 ü €',
        '{"a":"\\u0000"}',
        'x'.repeat(100_000),
      ]
      await appendTo(
        log,
        texts.map((text, index) => textEntry(index + 1, text)),
      )

      const after = await reopened()

      expect(readAll(after).map(({ body }) => body)).toEqual(texts)
      after.close()
      await after.closed
      await end()
    })

    test('refuses to read what is not there', async () => {
      const { log, end } = await open()
      await appendTo(log, [textEntry(1)])

      for (const position of [0, 2, -1])
        expect(() => log.read(position)).toThrow(`Cannot read entry ${position}: the log has 1`)
      log.close()
      await log.closed
      await end()
    })

    test('has others in place of all once they are published, and not a checkpoint of what was there', async () => {
      const { log, reopened, end } = await open()
      await appendTo(log, [textEntry(1), textEntry(2), textEntry(3)])
      log.writeCheckpoint({ position: 3, bytes: Buffer.from('of three') })

      await replaceAll(log, [textEntry(11), textEntry(12)])
      const checkpoint = log.readCheckpoint()
      await appendTo(log, [textEntry(13)])
      const after = await reopened()

      expect(checkpoint).toBeUndefined()
      expect([instants(after), after.readCheckpoint()]).toEqual([[11, 12, 13], undefined])
      after.close()
      await after.closed
      await end()
    })

    test('is as it was where others were staged and not published', async () => {
      const { log, reopened, end } = await open()
      await appendTo(log, [textEntry(1)])
      const [discarded, left] = [log.stage?.(), log.stage?.()]

      for (const staged of [discarded, left]) {
        staged?.add([textEntry(11), textEntry(12)])
        await staged?.prepare?.()
      }
      discarded?.discard()
      await appendTo(log, [textEntry(2)])
      const after = await reopened()

      expect(instants(after)).toEqual([1, 2])
      after.close()
      await after.closed
      await end()
    })

    test('has its last checkpoint when it is opened again, if it keeps any', async () => {
      const { log, reopened, end } = await open()
      await appendTo(log, [textEntry(1), textEntry(2)])
      log.writeCheckpoint({ position: 1, bytes: Buffer.from('of one') })
      log.writeCheckpoint({ position: 2, bytes: Buffer.from('of two') })

      const after = await reopened()
      const found = after.readCheckpoint()

      const expected = log.keepsCheckpoints ? { position: 2, text: 'of two' } : undefined
      expect(found && { position: found.position, text: Buffer.from(found.bytes).toString() }).toEqual(
        expected,
      )
      after.close()
      await after.closed
      await end()
    })
  })
}
