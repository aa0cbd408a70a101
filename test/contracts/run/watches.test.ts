import { expect, test } from 'vitest'
import { createActivity, createCallFeed } from '../../../contracts/run/activity.ts'
import { createExchangeLog } from '../../../contracts/run/exchange-log.ts'
import { createCallWatch, createEffectWatch, untilAtRest } from '../../../contracts/run/watches.ts'
import type { Perform } from '../../../sandbox/compose/perform.ts'
import type { Profile } from '../../../contracts/toolkit/profile.ts'
import { readingValues } from '../../../spec/readings.ts'

const TARGET = { type: 'transactions', id: 'paid' } as const
const MESSAGE = { ...TARGET, state: 'successful', label: 'transactions successful', body: '{}' }

const PROFILE: Profile = {
  readings: readingValues(),
  callsBack: true,
  unused: [],
  consequences: {},
  source: undefined,
  signed: false,
  budgetMs: 10_000,
  warnMs: 5_000,
  settleMs: 1_000,
  windowMs: 200,
}

/** When a call comes in and when it is answered. */
interface Call {
  readonly from: number
  readonly to: number
  /** What it is about; the check's own object if left out. */
  readonly id?: string
}

/** Watches over a receiver that calls and acts at these times, where nothing but pauses takes time. */
function watchesOver({
  calls,
  effects,
  pauseMs,
  isOwn = () => true,
}: {
  readonly calls: readonly Call[]
  readonly effects: readonly number[]
  /** How long each pause takes on a busy machine; as long as it should if left out. */
  readonly pauseMs?: number
  /** Whether the check has made it. */
  readonly isOwn?: (object: string) => boolean
}) {
  let now = 0
  const shown = () =>
    calls.flatMap(({ from, to, id = TARGET.id }, index) => {
      const about = { id: index + 1, object_type: TARGET.type, object_id: id }
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
        ? [
            {
              ...rest,
              ...about,
              at: '',
              real_at: new Date(from).toISOString(),
              took_ms: to <= now ? to - from : null,
            },
          ]
        : []
    })
  const feed = createCallFeed((number) => Promise.resolve(shown().filter(({ id }) => id >= number)))
  const activity = createActivity({
    feed,
    nameOf: (object) => (isOwn(object) ? object : undefined),
    callsBack: true,
  })
  const elapsed = () => now
  const pause = async (ms: number) => void (now += pauseMs ?? ms)
  const ports = { elapsed, pause, activity, profile: PROFILE, log: createExchangeLog(elapsed) }
  const probe = () => Promise.resolve({ effects: effects.filter((at) => at <= now).length, state: null })
  const listRequests = () => Promise.resolve({ requests: shown(), older: 0, next_cursor: null })
  const service = { perform: listRequests as unknown as Perform }
  const callWatch = createCallWatch({ ...ports, service, isKnown: () => true })
  return {
    activity,
    elapsed,
    callWatch,
    watch: createEffectWatch(probe, ports),
    rest: () => untilAtRest(ports),
  }
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

test('settleAtMost() waits for a receiver that asks slowly as long as it takes between two calls', async () => {
  const calls = [0, 150, 300, 600].map((from) => ({ from, to: from + 10 }))
  const { callWatch } = watchesOver({ calls, effects: [] })

  expect(await callWatch.settleAtMost(TARGET, 3)).toHaveLength(4)
})

test('settle() waits for a receiver that asks about others before its turn comes', async () => {
  const others = Array.from({ length: 30 }, (_, index) => ({
    from: index * 50,
    to: index * 50 + 10,
    id: 'other',
  }))
  const { activity, watch } = watchesOver({
    calls: [...others, { from: 1_500, to: 1_510 }],
    effects: [1_520],
    isOwn: (object) => object.endsWith(TARGET.id),
  })
  const accepted = await activity.sending(MESSAGE)
  accepted()

  expect(await watch.settle(TARGET, 1)).toMatchObject({ effects: 1 })
})
