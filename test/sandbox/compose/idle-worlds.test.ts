import { expect, test } from 'vitest'
import { createIdleWorlds } from '../../../sandbox/compose/idle-worlds.ts'
import type { Slot } from '../../../sandbox/compose/world-slot.ts'
import { manualTime } from '../../support/manual-time.ts'
import { worldPause, worldRecord } from '../../support/world-records.ts'

const IDLE_MS = 60_000

/** Watches worlds that stand still, each with what it keeps of a run; those that were closed are listed. */
function watching(reportedAt: (now: number) => number | undefined) {
  const realTime = manualTime()
  const closed: string[] = []
  const slotById = new Map<string, Slot>()
  const endedAt = reportedAt(realTime.now())
  const idle = createIdleWorlds({
    directory: { keepPause() {} },
    shared: { options: { onError: (_: string, error: unknown) => expect.fail(String(error)) } as never },
    realTime,
    idleMs: IDLE_MS,
    find: (id) => slotById.get(id),
    forget: ({ record }) => void slotById.delete(record.id),
    onPaused: ({ name }) => void closed.push(name),
  })
  function open(name: string): Slot {
    const standstill = { read: () => worldPause(), reportedAt: () => endedAt, resume() {} }
    const assembled = { standstill, store: { length: 0 }, close: () => Promise.resolve() }
    const slot = {
      record: worldRecord(name),
      world: { assembled },
      rest: { isIdle: () => true },
      uses: () => 1,
      calledAt: 0,
      ending: undefined,
    } as unknown as Slot
    slotById.set(slot.record.id, slot)
    idle.watch(slot)
    return slot
  }
  return { idle, realTime, closed, open }
}

test('a world whose report of a run somebody may come for is closed ten times as late as another', async () => {
  const closedAfter: Record<string, number> = {}
  for (const [name, reportedAt] of [
    ['plain', () => undefined],
    ['reported', (now: number) => now],
  ] as const) {
    const { realTime, closed, open } = watching(reportedAt)
    open(name)
    for (let minutes = 1; closed.length === 0 && minutes < 20; minutes++) {
      realTime.move(IDLE_MS)
      closedAfter[name] = minutes
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  expect(closedAfter).toEqual({ plain: 1, reported: 10 })
})

test('a world whose report of a run somebody may come for is not closed before its time, however many are open', async () => {
  const { idle, realTime, closed, open } = watching((now) => now)
  const slots = Array.from({ length: 40 }, (_, index) => open(`w-${index}`))
  realTime.move(10_000)

  idle.spareRested(slots)
  const early = slots.filter(({ ending }) => ending !== undefined).length
  realTime.move(10 * IDLE_MS)

  expect(early).toBe(0)
  await expect.poll(() => closed.length).toBe(slots.length)
})
