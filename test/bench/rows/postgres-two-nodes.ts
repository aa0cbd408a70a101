import { availableParallelism } from 'node:os'
import type { PostgresServer } from '../../support/postgres.ts'
import { createBarePosts } from '../bare-posts.ts'
import { startChild, type Child } from '../children.ts'
import { whyNoPostgres, withPostgres } from '../postgres.ts'
import type { Sent } from '../processes/node.ts'
import { familyProcessorMs } from '../processor-time.ts'
import { startReceiver, type BenchReceiver } from '../receiver.ts'
import { benchHeaders } from '../requests.ts'
import type { Figure, MeasureOptions, Row } from '../row.ts'
import { compareSides, median, type Side } from '../slices.ts'
import { simulateNodes, type Costs } from '../two-nodes.ts'

const IN_FLIGHT = 64
/** Two nodes and their receivers, a process of PostgreSQL for each, and what writes its log. */
const ENOUGH_CORES = 8
const WORLDS = ['default', 'second'] as const

interface OpenNode {
  readonly node: Child
  readonly receiver: BenchReceiver
  readonly benchUrl: string
}

/** Each with a world of its own, and a receiver that nobody else calls. */
async function openNode({ folder }: MeasureOptions, store: string, world: string): Promise<OpenNode> {
  const [receiver, node] = [await startReceiver(folder), await startChild('node')]
  const opening = { folder, store, node: `of-${world}`, world }
  const { benchUrl } = await node.ask<{ benchUrl: string }>({ do: 'open', opening })
  await node.ask({ do: 'register', url: `${receiver.origin}/notifications/items` })
  return { node, receiver, benchUrl }
}

const send = ({ node }: OpenNode, forMs: number, parallel = IN_FLIGHT) =>
  node.ask<Sent>({ do: 'send', forMs, parallel })

const toRate = ({ deliveries, tookMs }: Sent) => (deliveries / tookMs) * 1_000

async function measureBoth(options: MeasureOptions, server: PostgresServer, one: OpenNode): Promise<Figure> {
  const body = JSON.stringify({ name: WORLDS[1] })
  const added = await fetch(`${one.benchUrl}/control/worlds`, { method: 'POST', headers: benchHeaders, body })
  if (!added.ok) throw new Error(`Cannot measure: ${await added.text()}`)
  const other = await openNode(options, server.url(), WORLDS[1])
  try {
    const both: Side = async (forMs) => {
      const rates = await Promise.all([send(one, forMs), send(other, forMs)])
      return rates.reduce((sum, sent) => sum + toRate(sent), 0)
    }
    const bare: Side = async (forMs) => toRate(await send(one, forMs))
    const {
      ratio,
      self,
      ours,
      bare: alone,
    } = await compareSides({ ours: both, bare }, { rounds: 7, sliceMs: 500 })
    return {
      value: ratio,
      self,
      detail: `measured: ${Math.round(ours)} a second against ${Math.round(alone)}`,
    }
  } finally {
    await end(other)
  }
}

const SLICE_MS = 2_500
const ROUNDS = 3
/** Few at once make small statements: the difference tells what a statement takes, and what a row. */
const FEW_IN_FLIGHT = 8

/** What a time of sending came to for PostgreSQL. */
interface Seen extends Sent {
  readonly statements: number
  readonly postgresMs: number
  readonly diskMs: number
  /** What it wrote to its log. */
  readonly logBytes: number
}

async function sendSeen(server: PostgresServer, one: OpenNode, parallel: number): Promise<Seen> {
  const [before, processorBefore] = [await readCounts(server), familyProcessorMs(server.pid)]
  const sent = await send(one, SLICE_MS, parallel)
  const [after, processorAfter] = [await readCounts(server), familyProcessorMs(server.pid)]
  return {
    ...sent,
    statements: after.statements - before.statements,
    postgresMs: processorAfter - processorBefore,
    diskMs: after.diskMs - before.diskMs,
    logBytes: after.logBytes - before.logBytes,
  }
}

/** Each statement that writes is a transaction, and waits for the disk once. */
async function readCounts(server: PostgresServer): Promise<Pick<Seen, 'statements' | 'diskMs' | 'logBytes'>> {
  // A process of PostgreSQL tells of what it did when it has had nothing to do for a second.
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  const [row] = await server.query(
    'SELECT wal_sync AS statements, wal_sync_time AS "diskMs", wal_bytes AS "logBytes" FROM pg_stat_wal',
  )
  const count = (name: string) => Number(row?.[name])
  return { statements: count('statements'), diskMs: count('diskMs'), logBytes: count('logBytes') }
}

const each = ({ deliveries }: Seen, what: number) => what / deliveries

function toCosts(many: readonly Seen[], few: readonly Seen[]): Omit<Costs, 'answerMs'> {
  const middle = (list: readonly Seen[], pick: (seen: Seen) => number) => median(list.map(pick))
  const statements = [many, few].map((list) => middle(list, (seen) => each(seen, seen.statements)))
  const processor = [many, few].map((list) => middle(list, (seen) => each(seen, seen.postgresMs)))
  const [perMany = 0, perFew = 0] = statements
  const [costOfMany = 0, costOfFew = 0] = processor
  const statementMs = Math.max(0, (costOfFew - costOfMany) / (perFew - perMany))
  return {
    nodeMs: middle(many, (seen) => each(seen, seen.processorMs)),
    statementMs,
    rowsMs: Math.max(0, costOfMany - perMany * statementMs),
    diskMs: middle(many, (seen) => seen.diskMs / seen.statements),
  }
}

/** Milliseconds of a single POST, the median of many. */
async function timeAnswer({ origin, ca }: BenchReceiver): Promise<number> {
  const bare = createBarePosts(`${origin}/notifications/items`, { ca, body: '{}', connections: 1 })
  const times: number[] = []
  for (let round = 0; round < 100; round++) {
    const startedAt = performance.now()
    await bare.post()
    times.push(performance.now() - startedAt)
  }
  await bare.close()
  return median(times)
}

async function simulateBoth(server: PostgresServer, one: OpenNode): Promise<Figure> {
  const [many, few]: [Seen[], Seen[]] = [[], []]
  await send(one, SLICE_MS)
  for (let round = 0; round < ROUNDS; round++) {
    many.push(await sendSeen(server, one, IN_FLIGHT))
    few.push(await sendSeen(server, one, FEW_IN_FLIGHT))
  }
  const costs = { ...toCosts(many, few), answerMs: await timeAnswer(one.receiver) }
  const [alone, both] = [simulateNodes(1, costs), simulateNodes(2, costs)]
  const us = (ms: number) => `${Math.round(ms * 1_000)} µs`
  const detail =
    `simulated: ${Math.round(both)} a second against ${Math.round(alone)}, from what was measured of one: ${us(costs.nodeMs)} of the ` +
    `node's processor and ${us(costs.rowsMs)} of PostgreSQL's for a delivery, ${us(costs.statementMs)} of that and ` +
    `${us(costs.diskMs)} of the disk for a statement, ${us(costs.answerMs)} for an answer; PostgreSQL writes ${Math.round(median(many.map((seen) => each(seen, seen.logBytes))))} bytes of log for a delivery, ` +
    `${median(many.map((seen) => seen.deliveries / seen.statements)).toFixed(1)} deliveries with a statement; one really makes ${Math.round(median(many.map(toRate)))} here, where it shares ` +
    `${availableParallelism()} cores with PostgreSQL and the receiver`
  return { value: both / alone, detail }
}

async function end({ node, receiver }: OpenNode): Promise<void> {
  await Promise.all([node.end(), receiver.end()])
}

export const POSTGRES_TWO_NODES: Row = {
  id: 'postgres-two-nodes',
  what: `two nodes ÷ one, a world on each, 64 in flight in each; simulated where there are fewer than ${ENOUGH_CORES} cores, with a core for each node and one for PostgreSQL`,
  unit: '',
  better: 'more',
  bar: 1.8,
  instead: 'one process for all',
  lacks: whyNoPostgres,
  measure: (options) =>
    withPostgres(async (server) => {
      const one = await openNode(options, server.url(), WORLDS[0])
      try {
        return availableParallelism() >= ENOUGH_CORES
          ? await measureBoth(options, server, one)
          : await simulateBoth(server, one)
      } finally {
        await end(one)
      }
    }),
}
