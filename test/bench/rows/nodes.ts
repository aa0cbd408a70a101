import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { nodeProcess, type NodeProcess } from '../../support/node-process.ts'
import type { PostgresServer } from '../../support/postgres.ts'
import { whyNoPostgres, withPostgres } from '../postgres.ts'
import { familyProcessorMs, processorMs } from '../processor-time.ts'
import { createCalls, serviceHeaders } from '../requests.ts'
import type { Row } from '../row.ts'
import { median } from '../slices.ts'

interface Nodes {
  readonly server: PostgresServer
  start(name: string): Promise<NodeProcess>
  /** That of all worlds, once node "one" was started. */
  token(): string
}

/** Nodes as their users start them. */
function withNodes<Result>(folder: string, use: (nodes: Nodes) => Promise<Result>): Promise<Result> {
  return withPostgres(async (server) => {
    const started: NodeProcess[] = []
    const data = mkdtempSync(join(folder, 'nodes-'))
    try {
      return await use({
        server,
        async start(name) {
          const node = nodeProcess({ name, data: join(data, name), store: server.url(), leaseMs: 10_000 })
          started.push(node)
          await node.start()
          return node
        },
        token: () => readFileSync(join(data, 'one', 'token'), 'utf8').trim(),
      })
    } finally {
      await Promise.all(started.map((node) => node.kill()))
    }
  })
}

const IDLE_WORLDS = 1_000
const IDLE_MS = 10_000

async function addWorlds({ benchUrl }: NodeProcess, headers: Record<string, string>): Promise<void> {
  let left = IDLE_WORLDS
  const add = async () => {
    while (left-- > 0) {
      const init = { method: 'POST', headers, body: JSON.stringify({ name: `world-${left}` }) }
      const answer = await fetch(`${benchUrl}/control/worlds`, init)
      if (!answer.ok) throw new Error(`Cannot measure: ${answer.status} ${await answer.text()}`)
      await answer.body?.cancel()
    }
  }
  await Promise.all(Array.from({ length: 16 }, add))
}

/** The processor time that is spent a second while nothing is asked, in milliseconds. */
async function spentIdle(spentMs: () => number): Promise<number> {
  const [before, startedAt] = [spentMs(), performance.now()]
  await setTimeout(IDLE_MS)
  return ((spentMs() - before) / (performance.now() - startedAt)) * 1_000
}

export const IDLE_NODE: Row = {
  id: 'postgres-idle-node',
  what: `processor time that a node with nothing to do takes of PostgreSQL in a second, beside ${IDLE_WORLDS} worlds`,
  unit: 'ms',
  better: 'less',
  bar: 10,
  instead: 'a node that is told of changes, by a connection that a pool may not share',
  lacks: whyNoPostgres,
  measure: ({ folder }) =>
    withNodes(folder, async ({ server, start, token }) => {
      const first = await start('one')
      await addWorlds(first, { authorization: `Bearer ${token()}`, 'content-type': 'application/json' })
      const one = await spentIdle(() => familyProcessorMs(server.pid))
      const more = [await start('two'), await start('three')]
      const own: number[] = []
      const three = await spentIdle(() => familyProcessorMs(server.pid))
      for (const { pid } of more) own.push(await spentIdle(() => processorMs(pid)))
      const detail = `${one.toFixed(1)} ms with one node, ${three.toFixed(1)} with three; a node itself ${median(own).toFixed(1)} ms`
      return { value: (three - one) / more.length, detail }
    }),
}

const ROUNDS = 7
const SLICE_MS = 700
const CONNECTIONS = 16

export const PASSED_ON: Row = {
  id: 'postgres-passed-on',
  what: '`GET /users/{id}` at a node that passes it on to the one that has the world ÷ at that one, processor time of both nodes',
  unit: '',
  better: 'less',
  bar: 6,
  instead: 'a load balancer that knows which node has which world',
  lacks: whyNoPostgres,
  measure: ({ folder }) =>
    withNodes(folder, async ({ start }) => {
      const [owner, other] = [await start('one'), await start('two')]
      const headers = { ...(await serviceHeaders(owner.serviceUrl)), 'content-type': 'application/json' }
      const body = JSON.stringify({
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@example.test',
        country: 'AUS',
      })
      const made = await fetch(`${owner.serviceUrl}/users`, { method: 'POST', headers, body })
      const { users } = (await made.json()) as { users: { id: string } }
      const call = { path: `/users/${users.id}`, headers }
      const sides = [owner, other].map(({ serviceUrl }) => createCalls(serviceUrl, call, CONNECTIONS))
      const spentMs = () => processorMs(owner.pid) + processorMs(other.pid)
      const taken: [number[], number[]] = [[], []]
      for (let round = -1; round < ROUNDS; round++)
        for (const [index, { side }] of sides.entries()) {
          const [before, startedAt] = [spentMs(), performance.now()]
          const rate = await side(SLICE_MS)
          const calls = (rate * (performance.now() - startedAt)) / 1_000
          // The first is to warm up.
          if (round >= 0) taken[index]?.push(((spentMs() - before) / calls) * 1_000)
        }
      await Promise.all(sides.map((side) => side.close()))
      const [direct, passed] = taken.map(median) as [number, number]
      return { value: passed / direct, detail: `${Math.round(passed)} µs against ${Math.round(direct)}` }
    }),
}
