import { expect, test } from 'vitest'
import { createActivity, createCallFeed } from '../../../contracts/run/activity.ts'
import { createEffectDelay, createEffectTimes } from '../../../contracts/run/effect-delay.ts'
import { createExchangeLog } from '../../../contracts/run/run-result.ts'
import { createCallWatch, createEffectWatch, untilAtRest } from '../../../contracts/run/watches.ts'
import type { Perform } from '../../../sandbox/compose/perform.ts'
import { profileOf } from '../support/run-options.ts'
import { CALL } from '../support/run-results.ts'

const TARGET = { type: 'transactions', id: 'paid' } as const
const MESSAGE = { ...TARGET, state: 'successful', label: 'transactions successful', body: '{}' }

const SETTINGS = { settleMs: 1_000, windowMs: 200 }

interface Call {
  readonly from: number
  readonly to: number
  readonly id?: string
}

/** Watches a simulated receiver whose calls and effects occur at the given times. In this simulation, only pauses take time. */
function watchesOver({
  calls,
  effects,
  pauseMs,
  lookMs = 0,
  settings = SETTINGS,
  isOwn = () => true,
}: {
  readonly calls: readonly Call[]
  readonly effects: readonly number[]
  /** The duration of each pause on a busy machine. Defaults to the requested duration. */
  readonly pauseMs?: number
  readonly lookMs?: number
  readonly settings?: typeof SETTINGS
  readonly isOwn?: (object: string) => boolean
}) {
  let now = 0
  const shown = () =>
    calls.flatMap(({ from, to, id = TARGET.id }, index) => {
      const about = { id: index + 1, object_type: TARGET.type, object_id: id }
      const times = { real_at: new Date(from).toISOString(), took_ms: to <= now ? to - from : null }
      return from <= now ? [{ ...CALL, ...about, ...times }] : []
    })
  const feed = createCallFeed((number) => Promise.resolve(shown().filter(({ id }) => id >= number)))
  const activity = createActivity(feed, (object) => (isOwn(object) ? object : undefined), true)
  const elapsed = () => now
  const pause = async (ms: number) => void (now += pauseMs ?? ms)
  const delay = createEffectDelay(settings)
  const times = createEffectTimes(delay, elapsed)
  const ports = {
    elapsed,
    pause,
    activity,
    delay,
    times,
    profile: profileOf(),
    log: createExchangeLog(elapsed),
  }
  const looks: number[] = []
  const probe = async () => {
    looks.push(now)
    now += lookMs
    return { effects: effects.filter((at) => at <= now).length, state: null }
  }
  const listRequests = () => Promise.resolve({ requests: shown(), older: 0, next_cursor: null })
  const service = { perform: listRequests as unknown as Perform }
  const callWatch = createCallWatch({ ...ports, service, isKnown: () => true })
  return {
    looks,
    activity,
    delay,
    times,
    elapsed,
    callWatch,
    watch: createEffectWatch(probe, ports),
    rest: () => untilAtRest(ports),
  }
}

type World = Omit<Parameters<typeof watchesOver>[0], 'calls'> & { readonly calls?: readonly Call[] }

test.each<readonly [what: string, world: World, latestMs: number, found: number]>([
  [
    'detects a second effect that a receiver call causes after the first wait',
    {
      calls: [
        { from: 0, to: 150 },
        { from: 160, to: 900 },
      ],
      effects: [150, 900],
    },
    0,
    2,
  ],
  [
    'waits for an effect while a receiver call to the service is in flight',
    { calls: [{ from: 0, to: 2_500 }], effects: [2_600] },
    0,
    1,
  ],
  ['waits up to three times the longest observed effect delay', { effects: [1_400] }, 500, 1],
])('settle() %s', async (_, ...[world, latestMs, found]) => {
  const { delay, watch } = watchesOver({ calls: [], ...world })
  delay.note(latestMs)

  expect(await watch.settle(TARGET, 1)).toMatchObject({ effects: found })
})

// The expected times are approximate, because the poll interval is up to a tenth of the waiting time.
test.each<
  readonly [what: string, effectMs: number, isInterfered: boolean, latestMs: unknown, waitedMs: unknown]
>([
  [
    'measures the effect delay from the acceptance of the notification',
    600,
    false,
    expect.closeTo(600, -2),
    expect.closeTo(1_800, -3),
  ],
  ['ignores effect delays that the service caused', 700, true, null, 1_000],
])('settle() %s', async (_, ...[effectMs, isInterfered, latestMs, waitedMs]) => {
  const { delay, times, watch } = watchesOver({ calls: [], effects: [effectMs] })
  times.accepted(TARGET)
  if (isInterfered) times.interfered()
  await watch.settle(TARGET, 1)

  expect(delay.seen()).toEqual({ latestMs, waitedMs })
})

test('settle() stops waiting for a receiver that calls the service without end', async () => {
  const calls = Array.from({ length: 1_000 }, (_, index) => ({ from: index * 10, to: index * 10 + 5 }))
  const { watch, elapsed } = watchesOver({ calls, effects: [] })
  await watch.settle(TARGET, 1)

  expect(elapsed()).toBeLessThanOrEqual(4 * SETTINGS.settleMs)
})

test('rest() waits for a receiver that has not yet called the service about an accepted notification', async () => {
  const { activity, elapsed, rest } = watchesOver({ calls: [{ from: 700, to: 800 }], effects: [] })
  const accepted = await activity.sending(MESSAGE)
  accepted()
  await rest()

  expect(elapsed()).toBeGreaterThanOrEqual(1_000)
})

test('outlast() waits for the next call when the receiver waits for a token', async () => {
  const calls = [0, 900, 920, 1_800].map((from) => ({ from, to: from + 10 }))
  const { callWatch } = watchesOver({ calls, effects: [] })

  expect(await callWatch.outlast(TARGET, 3)).toHaveLength(4)
})

test('after eight missing effects of one object type, reach() waits only briefly for this type; when one of its effects appears, reach() waits normally again', async () => {
  const { delay, elapsed, watch } = watchesOver({ calls: [], effects: [30_000] })
  for (let count = 0; count < 8; count++) await watch.reach(TARGET, 1)
  const before = elapsed()
  await watch.reach(TARGET, 1)
  const [waitedMs, seen] = [elapsed() - before, delay.seen()]
  const otherMs = delay.waitMs('disbursements')
  delay.noteEffect(TARGET.type)

  expect(before).toBeGreaterThanOrEqual(8 * SETTINGS.settleMs)
  expect(waitedMs).toBeLessThanOrEqual(SETTINGS.windowMs + 100)
  expect(seen.waitedMs).toBe(SETTINGS.settleMs)
  expect([otherMs, delay.waitMs(TARGET.type)]).toEqual([SETTINGS.settleMs, SETTINGS.settleMs])
})

test('settle() polls less often the longer it waits', async () => {
  const { looks, watch } = watchesOver({ calls: [], effects: [900] })
  await watch.settle(TARGET, 1)

  const gaps = looks.slice(1).map((at, index) => at - (looks[index] ?? at))
  expect([gaps[0], gaps.find((_, index) => Number(looks[index]) > 800)]).toEqual([20, expect.closeTo(85, -1)])
})
