import { setTimeout } from 'node:timers/promises'
import type { WorldDetail, WorldList } from '../../../spec/generated/control-types.ts'
import { openChild, startChild, type OpenChild } from '../children.ts'
import { askJson, benchHeaders, serviceHeaders, userBody, type Call } from '../requests.ts'
import type { MeasureOptions, Row } from '../row.ts'
import { median, percentile99 } from '../slices.ts'
import { residentMb } from './size.ts'

type Urls = Pick<OpenChild, 'serviceUrl' | 'benchUrl'>

const openWorlds = ({ folder }: MeasureOptions, idleMs: number) =>
  openChild({ folder, store: `worlds-${process.pid}-${Date.now()}.sqlite`, idleMs })

async function addWorld({ benchUrl }: Urls, name: string): Promise<WorldDetail> {
  const body = JSON.stringify({ name })
  return askJson(`${benchUrl}/control/worlds`, { method: 'POST', headers: benchHeaders, body })
}

async function useWorld({ benchUrl }: Urls, { access }: WorldDetail): Promise<void> {
  const headers = { ...benchHeaders, authorization: `Bearer ${access.control_token}` }
  await askJson(`${benchUrl}/control/objects/items`, { method: 'POST', headers, body: '{}' })
}

async function untilAllClosed({ benchUrl }: Urls): Promise<void> {
  for (;;) {
    const { worlds } = await askJson<WorldList>(`${benchUrl}/control/worlds`, { headers: benchHeaders })
    if (worlds.every(({ name, open }) => name === 'default' || !open)) return
    await setTimeout(200)
  }
}

const IDLE_WORLDS = 1_000
/** The pause after each world is created, in milliseconds. With this pause, creating all worlds takes about a minute. */
const PACE_MS = 50

export const IDLE_WORLDS_MEMORY: Row = {
  id: 'idle-worlds',
  what: `resident memory with ${IDLE_WORLDS} idle worlds after 20 calls a second, minus the memory with one world after the same number of calls`,
  unit: 'MB',
  better: 'less',
  bar: 150,
  instead: 'a thousand sandboxes, each with 60 MB or more',
  async measure(options) {
    const served = await openWorlds(options, 20_000)
    try {
      const first = await addWorld(served, 'first')
      for (let count = 0; count < 2 * IDLE_WORLDS; count++) await useWorld(served, first)
      await untilAllClosed(served)
      const alone = residentMb(served.pid)
      for (let count = 1; count < IDLE_WORLDS; count++) {
        await useWorld(served, await addWorld(served, `world-${count}`))
        await setTimeout(PACE_MS)
      }
      await untilAllClosed(served)
      const all = residentMb(served.pid)
      return { value: all - alone, detail: `${all.toFixed(0)} MB against ${alone.toFixed(0)}` }
    } finally {
      await served.end()
    }
  },
}

const OPENINGS = 50

export const WORLD_OPENING: Row = {
  id: 'world-opening',
  what: 'the median time of the first call to a closed world, minus the time of the next call',
  unit: 'ms',
  better: 'less',
  bar: 30,
  instead: 'starting a sandbox, which takes 150 ms or more',
  async measure(options) {
    const served = await openWorlds(options, 500)
    try {
      const worlds: WorldDetail[] = []
      for (let count = 0; count < OPENINGS; count++) worlds.push(await addWorld(served, `world-${count}`))
      for (const world of worlds) await useWorld(served, world)
      await untilAllClosed(served)
      const taken: { readonly first: number; readonly next: number }[] = []
      for (const { access } of worlds) {
        const headers = { authorization: `Bearer ${access.control_token}` }
        const time = async () => {
          const startedAt = performance.now()
          await askJson(`${served.benchUrl}/control/clock`, { headers })
          return performance.now() - startedAt
        }
        taken.push({ first: await time(), next: await time() })
      }
      const [first, next] = [median(taken.map((each) => each.first)), median(taken.map((each) => each.next))]
      return { value: first - next, detail: `${first.toFixed(1)} ms against ${next.toFixed(1)}` }
    } finally {
      await served.end()
    }
  },
}

const SLICE_MS = 6_000
const EVERY_MS = 40
const ROUNDS = 3
const CONNECTIONS = 50

async function createUser({ serviceUrl }: Urls, { access }: WorldDetail): Promise<Call> {
  const { client_id, client_secret } = access
  const headers = await serviceHeaders(serviceUrl, { client_id, client_secret })
  return { path: '/users', method: 'POST', headers, body: userBody() }
}

/** Sends 25 calls per second. For each call, returns the time from its due time to its response, in milliseconds. */
async function takeLatencies({ serviceUrl }: Urls, { path, method, headers, body }: Call): Promise<number[]> {
  const startedAt = performance.now()
  const calls: Promise<number>[] = []
  for (let due = startedAt; due < startedAt + SLICE_MS; due += EVERY_MS) {
    await setTimeout(Math.max(0, due - performance.now()))
    const init = { method: method ?? 'GET', headers: headers ?? {}, body: body ?? null }
    calls.push(askJson(`${serviceUrl}${path}`, init).then(() => performance.now() - due))
  }
  return Promise.all(calls)
}

export const WORLD_FAIRNESS: Row = {
  id: 'world-fairness',
  what: `the 99th percentile of the latency of \`POST /users\` in a quiet world while ${CONNECTIONS} connections keep another world busy, compared with the quiet world alone`,
  unit: '',
  better: 'less',
  bar: 2,
  instead: 'one queue for all worlds, in which the busiest caller has the shortest wait',
  profile: `The medians are similar, so the scheduler that gives turns to the worlds is not the cause. The 99th percentile is the time of the fifth-slowest call of about 450. Likely causes are checkpoints of SQLite and full garbage collections. SQLite runs a checkpoint after about 3,500 pages. On a busy machine, a checkpoint blocked the process for 10 to 70 ms.`,
  async measure(options) {
    const [served, caller] = [await openWorlds(options, 60_000), await startChild('caller')]
    try {
      const quiet = await createUser(served, await addWorld(served, 'quiet'))
      const busy = await createUser(served, await addWorld(served, 'busy'))
      const taken: { readonly beside: number[]; readonly alone: number[] } = { beside: [], alone: [] }
      const forMs = SLICE_MS + 1_000
      const asked = { origin: served.serviceUrl, call: busy, connections: CONNECTIONS, forMs }
      const saturate = async () => (await caller.ask<{ rate: number }>(asked)).rate
      const rates: { readonly beside: number; readonly alone: number }[] = []
      await takeLatencies(served, quiet)
      for (let round = 0; round < ROUNDS; round++) {
        taken.alone.push(...(await takeLatencies(served, quiet)))
        const without = await saturate()
        const saturating = saturate()
        await setTimeout(500)
        taken.beside.push(...(await takeLatencies(served, quiet)))
        rates.push({ beside: await saturating, alone: without })
      }
      const [beside, alone] = [percentile99(taken.beside), percentile99(taken.alone)]
      const [rate, kept] = [rates.map((each) => each.beside), rates.map((each) => each.beside / each.alone)]
      const detail =
        `${beside.toFixed(1)} ms against ${alone.toFixed(1)}, with a median of ${median(taken.beside).toFixed(1)} ms against ` +
        `${median(taken.alone).toFixed(1)}. The busy world handles ${Math.round(median(rate))} calls a second, ` +
        `which is ${median(kept).toFixed(2)} of its rate alone`
      return { value: beside / alone, detail }
    } finally {
      await Promise.all([served.end(), caller.end()])
    }
  },
}
