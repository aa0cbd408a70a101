import type { Exchange, HttpMessage } from '../../../../sandbox/engine/core/ports.ts'
import type { Plant } from '../world/incarnation.ts'
import {
  alterDependencies,
  alterReading,
  alterTransport,
  withMembers,
  type PlantedBug,
} from './planted-bug.ts'

const HOUR_MS = 3_600_000

const isTest = ({ body }: HttpMessage) => Buffer.from(body).toString().startsWith('{"message":')

const ANSWERED: Exchange = {
  outcome: { kind: 'answered', status: 200, headers: [], body: new Uint8Array() },
  timings: { connectedMs: 0, answeredMs: 0, totalMs: 0 },
  flags: [],
}

const REFUSED: Exchange = {
  ...ANSWERED,
  outcome: { kind: 'unanswered', reason: 'connect_refused', message: 'The connection was refused' },
}

export const PORT_BUGS: readonly PlantedBug[] = [
  {
    id: 'sent-twice',
    about: 'A notification is sent twice.',
    plant: alterTransport((inner) => async (message, deadlineMs) => {
      if (!isTest(message)) await inner.post(message, deadlineMs)
      return inner.post(message, deadlineMs)
    }),
  },
  {
    id: 'failure-taken-for-success',
    about: 'A response with status 302 counts as a success.',
    plant: alterTransport((inner) => async (message, deadlineMs) => {
      const exchange = await inner.post(message, deadlineMs)
      return exchange.outcome.kind === 'answered' && exchange.outcome.status === 302 ? ANSWERED : exchange
    }),
  },
  {
    id: 'slow-neighbour',
    about:
      'While one receiver has not responded, the sandbox ignores the first response to each notification from other receivers.',
    plant: alterTransport((inner) => {
      let underWay: string[] = []
      const unheard = new Set<string>()
      return async (message, deadlineMs) => {
        underWay.push(message.url)
        const exchange = await inner.post(message, deadlineMs)
        underWay = underWay.filter((url) => url !== message.url)
        const key = `${message.url} ${Buffer.from(message.body).toString()}`
        if (underWay.length === 0 || isTest(message) || unheard.has(key) || key.includes('/callbacks/'))
          return exchange
        unheard.add(key)
        return REFUSED
      }
    }),
  },
  {
    id: 'test-post-skipped',
    about: 'A URL is registered without a test POST.',
    plant: alterTransport(
      (inner) => (message, deadlineMs) =>
        isTest(message) ? Promise.resolve(ANSWERED) : inner.post(message, deadlineMs),
    ),
  },
  {
    id: 'test-post-other-body',
    about: 'The test POST has a field that the document does not show.',
    plant: alterTransport(
      (inner) => (message, deadlineMs) =>
        inner.post(
          isTest(message) ? { ...message, body: Buffer.from('{"message":"a test","test":true}') } : message,
          deadlineMs,
        ),
    ),
  },
  {
    id: 'egress-open',
    about: 'Any URL can be registered, even a forbidden URL.',
    plant: alterDependencies(({ egress }) => ({
      egress: { ...egress, judgeUrl: (raw) => ({ kind: 'allowed', url: new URL(raw) }) },
    })),
  },
  {
    id: 'concurrency-unbounded',
    about: 'A registration can have any number of notifications in flight.',
    plant: alterDependencies(() => ({ concurrency: 1_000 })),
  },
  {
    id: 'window-overrun',
    about: 'The sandbox sends the fifth retry, although it is outside the retry window.',
    plant: alterReading('retry-window', 'five-attempts'),
  },
  {
    id: 'retried-when-disabled',
    about: 'Retries continue after the registration is disabled.',
    plant: alterReading('pending-retries', 'frozen-url'),
  },
  {
    id: 'lag-longer',
    about: 'Attempts become visible later than the chosen lag allows.',
    plant: alterReading('job-recording-lag', '3h'),
  },
  {
    id: 'clock-back-at-restart',
    about: 'A restart sets the clock an hour back.',
    plant: { startAt: (latestAt) => latestAt - HOUR_MS },
  },
  {
    id: 'advance-too-far',
    about: 'The clock advances a second too far.',
    plant: alterClock((clock) => ({ moveTo: (time) => clock.moveTo(time + 1_000) })),
  },
  {
    id: 'wall-clock-followed',
    about: 'The clock follows changes of the wall clock.',
    plant: alterDependencies(({ ports }) => {
      const { clock, realTime } = ports
      const shift = () => realTime.now() - realTime.elapsed() - Date.parse('2026-01-01T00:00:00.000Z')
      // Also shifts the timers, because otherwise an advance would never end.
      const followed = withMembers(clock, {
        now: () => clock.now() + shift(),
        wakeAt: (time, wake) => clock.wakeAt(time - shift(), wake),
        moveTo: (time) => clock.moveTo(time - shift()),
        showAtLeast: (time) => clock.showAtLeast(time - shift()),
        restartAt: (time, speed) => clock.restartAt(time - shift(), speed),
      })
      return { ports: { ...ports, clock: followed } }
    }),
  },
  {
    id: 'ids-undrawn',
    about: 'The seed does not determine the ids.',
    plant: alterDependencies(({ ports }) => ({
      ports: { ...ports, random: Object.assign(() => Math.random(), ports.random) },
    })),
  },
  {
    id: 'refusal-recorded',
    about: 'A rejected call leaves an entry in the store.',
    plant: alterAnswers(async (status, { store, now }) => {
      if (status >= 400)
        await store.commit([{ head: { kind: 'clock', at: now() }, body: '' }]).catch(() => {})
      return status
    }),
  },
  {
    id: 'conflict-as-failure',
    about: 'A conflict gets a response with status 500 instead of 409.',
    plant: alterAnswers((status) => Promise.resolve(status === 409 ? 500 : status)),
  },
]

type Clock = Parameters<NonNullable<Plant['store']>>[1] extends () => infer Made ? Made : never

function alterClock(members: (clock: Clock) => Partial<Clock>): Plant {
  return alterDependencies(({ ports }) => ({
    ports: { ...ports, clock: withMembers(ports.clock, members(ports.clock)) },
  }))
}

interface Behind {
  readonly store: Parameters<NonNullable<Plant['store']>>[0]
  readonly now: () => number
}

function alterAnswers(alter: (status: number, behind: Behind) => Promise<number>): Plant {
  return {
    assembled: (assembled) => ({
      ...assembled,
      async service(request) {
        const response = await assembled.service(request)
        const status = await alter(response.status ?? 0, {
          store: assembled.store,
          now: assembled.context.now,
        })
        return { ...response, status }
      },
    }),
  }
}
