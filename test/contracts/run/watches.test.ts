import { expect, test } from 'vitest'
import { createActivity, createCallFeed } from '../../../contracts/run/activity.ts'
import { createExchangeLog } from '../../../contracts/run/exchange-log.ts'
import { createEffectWatch, untilAtRest } from '../../../contracts/run/watches.ts'
import type { Profile } from '../../../contracts/toolkit/profile.ts'
import { readingValues } from '../../../spec/readings.ts'

const TARGET = { type: 'transactions', id: 'paid' } as const
const MESSAGE = { ...TARGET, state: 'successful', label: 'transactions successful', body: '{}' }

const PROFILE: Profile = {
  readings: readingValues(),
  callsBack: true,
  unused: [],
  source: undefined,
  budgetMs: 10_000,
  warnMs: 5_000,
  settleMs: 1_000,
  windowMs: 200,
}

/** When a call comes in and when it is answered. */
interface Call {
  readonly from: number
  readonly to: number
}

/** Watches over a receiver that calls and acts at these times, where nothing but pauses takes time. */
function watchesOver({
  calls,
  effects,
  pauseMs,
}: {
  readonly calls: readonly Call[]
  readonly effects: readonly number[]
  /** How long each pause takes on a busy machine; as long as it should if left out. */
  readonly pauseMs?: number
}) {
  let now = 0
  const shown = () =>
    calls.flatMap(({ from, to }, index) => {
      const about = { id: index + 1, object_type: TARGET.type, object_id: TARGET.id }
      const rest = {
        method: 'GET',
        path: '',
        operation: null,
        by: null,
        user_agent: null,
        status: null,
        faults: [],
      }
      return from <= now
        ? [{ ...rest, ...about, at: '', real_at: '', took_ms: to <= now ? to - from : null }]
        : []
    })
  const feed = createCallFeed((number) => Promise.resolve(shown().filter(({ id }) => id >= number)))
  const activity = createActivity({ feed, nameOf: (object) => object, callsBack: true })
  const elapsed = () => now
  const pause = async (ms: number) => void (now += pauseMs ?? ms)
  const ports = { elapsed, pause, activity, profile: PROFILE, log: createExchangeLog(elapsed) }
  const probe = () => Promise.resolve({ effects: effects.filter((at) => at <= now).length, state: null })
  return { activity, elapsed, watch: createEffectWatch(probe, ports), rest: () => untilAtRest(ports) }
}

test('settle() sees a second effect that a call after the window of the first leads to', async () => {
  const { watch } = watchesOver({
    calls: [
      { from: 0, to: 150 },
      { from: 160, to: 900 },
    ],
    effects: [150, 900],
  })

  expect(await watch.settle(TARGET, 1)).toMatchObject({ effects: 2 })
})

test('settle() waits for an effect as long as the receiver waits for the service', async () => {
  const { watch } = watchesOver({ calls: [{ from: 0, to: 2_500 }], effects: [2_600] })

  expect(await watch.settle(TARGET, 1)).toMatchObject({ effects: 1 })
})

test('settle() counts little of a pause that lasts too long, since the receiver is as late', async () => {
  const { watch } = watchesOver({ calls: [{ from: 0, to: 90 }], effects: [100, 550], pauseMs: 100 })

  expect(await watch.settle(TARGET, 1)).toMatchObject({ effects: 2 })
})

test('settle() gives up a receiver that never rests', async () => {
  const calls = Array.from({ length: 1_000 }, (_, index) => ({ from: index * 10, to: index * 10 + 5 }))
  const { watch, elapsed } = watchesOver({ calls, effects: [] })
  await watch.settle(TARGET, 1)

  expect(elapsed()).toBeLessThanOrEqual(4 * PROFILE.settleMs)
})

test('rest() waits for a receiver that has not asked yet for what it accepted', async () => {
  const { activity, elapsed, rest } = watchesOver({ calls: [{ from: 700, to: 800 }], effects: [] })
  const accepted = await activity.sending(MESSAGE)
  accepted()
  await rest()

  expect(elapsed()).toBeGreaterThanOrEqual(1_000)
})
