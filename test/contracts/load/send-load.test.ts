import { expect, test } from 'vitest'
import { createBooks, type LoadMessage } from '../../../contracts/load/books.ts'
import { concludeLoad, type LoadResult } from '../../../contracts/load/conclusion.ts'
import { createConnectionPlaces } from '../../../contracts/load/connection-places.ts'
import { createRecorder, type LoadResponse } from '../../../contracts/load/measurements.ts'
import { createSchedule } from '../../../contracts/load/schedule.ts'
import { createSupply, sendLoad, type Progress } from '../../../contracts/load/send-load.ts'
import { loadResult } from '../support/load-results.ts'
import { createVirtualTime, type VirtualTime } from './virtual-time.ts'

const ACCEPTED: LoadResponse = { kind: 'status', status: 204 }

interface Wish {
  readonly time?: VirtualTime
  readonly rate?: number
  readonly durationMs?: number
  readonly connections?: number
  readonly longMs?: number
  readonly stop?: AbortSignal
  readonly make?: (index: number) => Promise<LoadMessage>
  /** Returns the response, possibly after a delay. A promise that never resolves means no response. */
  readonly answer: (now: number, index: number, time: VirtualTime) => Promise<LoadResponse>
}

async function load({ time = createVirtualTime(), rate = 100, durationMs = 10_000, ...wish }: Wish) {
  const { connections = 10_000, longMs = 500, answer } = wish
  const schedule = createSchedule({ shape: 'steady', rate, durationMs })
  const recorder = createRecorder(durationMs)
  const places = createConnectionPlaces(connections, { longMs })
  const make = async (index: number) => message(index)
  const plan = Array.from({ length: schedule.count }, (_, index) => index).values()
  const supply = createSupply(plan, wish.make ?? make, { ahead: 20, atOnce: 20 })
  const sentAt: number[] = []
  const send = () => {
    sentAt.push(time.elapsed())
    return answer(time.elapsed(), sentAt.length - 1, time)
  }
  const told: Progress[] = []
  await time.run(
    sendLoad(schedule, {
      ...time,
      supply,
      send,
      places,
      recorder,
      books: createBooks(),
      stop: wish.stop,
      drainMs: 20_000,
      onProgress: (progress) => void told.push(progress),
    }),
  )
  const measurements = recorder.result()
  const result = loadResult({ measurements, connections: places.result() })
  return { measurements, result, sentAt, told, unsent: measurements.unsent }
}

const limitsOf = (result: LoadResult, maxP99Ms?: number) =>
  concludeLoad(result, { maxP99Ms }).limits.map(({ kind }) => kind)

const message = (index: number): LoadMessage => ({
  type: 'items',
  id: String(index),
  body: '{}',
  booking: undefined,
})

const after = (ms: number) => async (_now: number, _index: number, time: VirtualTime) => {
  await time.pause(ms)
  return ACCEPTED
}

/** Responds after 5 ms, except for one stall of two seconds. */
async function stalling(now: number, _index: number, time: VirtualTime): Promise<LoadResponse> {
  const stall = now >= 3_000 && now < 5_000 ? 5_000 - now : 0
  await time.pause(stall + 5)
  return ACCEPTED
}

test('a load sends notifications on time, even before earlier responses arrive', async () => {
  const { sentAt } = await load({ rate: 10, durationMs: 2_000, answer: after(7_000) })

  expect(sentAt.map((ms) => Math.round(ms))).toEqual(Array.from({ length: 20 }, (_, index) => index * 100))
})

test('a stopped load sends no more notifications and finishes the deliveries in flight', async () => {
  const stopping = new AbortController()
  const { measurements, sentAt, unsent } = await load({
    rate: 10,
    stop: stopping.signal,
    async answer(now, index, time) {
      if (index === 5) stopping.abort()
      return after(3_000)(now, index, time)
    },
  })

  expect([sentAt.length, measurements.offered, measurements.accepted]).toEqual([6, 6, 6])
  expect(unsent).toEqual({ unmade: 0, unplaced: 0 })
})

test('the latency percentiles include a receiver stall of two seconds', async () => {
  const { measurements, result } = await load({ answer: stalling })

  expect(measurements.latency.p50).toBeLessThan(10)
  expect(measurements.latency.p90).toBeGreaterThan(900)
  expect(measurements.latency.p99).toBeGreaterThan(1_850)
  expect(measurements.latency.max).toBeLessThan(2_020)
  expect(limitsOf(result, 100)).toEqual([])
})

test('a load names the sender as the bottleneck when it has too few connections for a fast receiver', async () => {
  const { result } = await load({ answer: after(200), connections: 10 })

  expect(limitsOf(result)).toEqual(['connections'])
})

test('a load reports the sender as the limit when the timers of the machine are late', async () => {
  const time = createVirtualTime((askedMs) => (askedMs > 0 ? 300 : 0))
  const { result, measurements } = await load({ time, answer: async () => ACCEPTED })

  expect(measurements.sent).toBe(1_000)
  expect(limitsOf(result)).toEqual(['event-loop', 'schedule'])
})

test('a load counts the time as sender delay when a notification is prepared late', async () => {
  const time = createVirtualTime()
  let last = Promise.resolve()
  // Prepares one notification at a time, at two thirds of the scheduled rate.
  const make = (index: number) => {
    const made = last.then(() => time.pause(15))
    last = made
    return made.then(() => message(index))
  }
  const { result, measurements } = await load({ time, make, answer: async () => ACCEPTED })

  expect(measurements.sent).toBe(1_000)
  expect(measurements.lag.max).toBeGreaterThan(4_000)
  expect(limitsOf(result)).toEqual(['schedule'])
})

test('a load blames the receiver for unsent notifications when the receiver occupies all connections', async () => {
  const never = () => new Promise<LoadResponse>(() => {})
  const time = createVirtualTime()
  // Ends each request at its deadline, as a real transport does.
  const answer = async (): Promise<LoadResponse> => {
    await Promise.race([never(), time.pause(30_000)])
    return { kind: 'reason', reason: 'header_timeout' }
  }
  const { unsent, result } = await load({ time, rate: 10, durationMs: 1_000, connections: 4, answer })

  expect([unsent, result.measurements.reasons]).toEqual([{ unmade: 0, unplaced: 6 }, { header_timeout: 4 }])
  expect(result.connections.heldWaits).toBe(6)
})

test('a load sends notifications about one object one at a time', async () => {
  const { sentAt, measurements } = await load({
    rate: 10,
    durationMs: 500,
    make: async () => message(1),
    answer: after(300),
  })

  expect(sentAt.map((ms) => Math.round(ms))).toEqual([0, 300, 600, 900, 1_200])
  expect(measurements.latency.max).toBeGreaterThan(1_050)
})

test('a load counts the wait for an earlier notification of the same object as a delay by the receiver', async () => {
  const { unsent, result } = await load({
    rate: 10,
    durationMs: 500,
    make: async () => message(1),
    answer: after(9_000),
  })

  expect(unsent).toEqual({ unmade: 0, unplaced: 2 })
  expect(concludeLoad(result, { maxP99Ms: undefined }).failures).toEqual([
    expect.stringContaining(
      'the sender did not send 2 notifications, because your receiver kept earlier notifications',
    ),
  ])
})

test('a load ends and reports the reason when a notification cannot be prepared', async () => {
  const make = (index: number) =>
    index === 50 ? Promise.reject(new Error('The sandbox is gone')) : Promise.resolve(message(index))

  await expect(load({ make, answer: async () => ACCEPTED })).rejects.toThrow('The sandbox is gone')
})

test('a load reports progress about once per second from start to end', async () => {
  const { told } = await load({ rate: 10, durationMs: 3_500, answer: after(10) })

  expect(told.map(({ atMs }) => Math.round(atMs / 1_000))).toEqual([1, 2, 3])
  expect(told[0]?.interval).toMatchObject({ toMs: 1_000, offered: 1, answered: 1 })
})
