import { createBarePosts } from '../bare-posts.ts'
import { startChild, type Child } from '../children.ts'
import { openBenchNode } from '../node.ts'
import { diskMs, timeRoundTrip, whyNoPostgres, withPostgres } from '../postgres.ts'
import { startReceiver, type BenchReceiver } from '../receiver.ts'
import { ratioFigure, type MeasureOptions, type Row } from '../row.ts'
import { createItem, registerUrl, sendFor, type BenchWorld } from '../sandbox.ts'
import { compareSides, type Side } from '../slices.ts'

const IN_FLIGHT = 64
/** So many changes wait for their delivery at a time, as in a world that has more to send than there are places. */
const CHANGES = 256

interface Sending {
  readonly node: BenchWorld
  readonly receiver: BenchReceiver
  readonly url: string
  readonly side: Side
}

/** A node on this database, and the receiver that it sends to. */
async function withNode<Result>(
  { folder }: MeasureOptions,
  store: string,
  use: (sending: Sending) => Promise<Result>,
): Promise<Result> {
  const receiver = await startReceiver(folder)
  const node = await openBenchNode({ folder, store, node: 'one' })
  const url = `${receiver.origin}/notifications/items`
  const side = (forMs: number) => sendFor(node, { forMs, parallel: CHANGES })
  try {
    await registerUrl(node, { url, object_type: 'items' })
    return await use({ node, receiver, url, side })
  } finally {
    await node.close()
    await receiver.end()
  }
}

export const POSTGRES_DELIVERIES: Row = {
  id: 'postgres-deliveries',
  what: 'deliveries of one world whose log is in PostgreSQL, which waits for the disk, ÷ bare `undici` to the same receiver, 64 in flight; 256 changes at a time',
  unit: '',
  better: 'more',
  bar: 0.35,
  instead: 'the best queue on PostgreSQL, a tuned graphile-worker: 0.19',
  profile: `Most of it is the node: a delivery with nothing but memory behind it does not reach this bar either (\`deliveries-in-memory\`). Of the time that the node is at work, the statements take 28 % (giving them to the socket 11 %, copying the rows into the node's own file 4 %, packing, checksums and JSON the rest), the collector 22 to 24 %, the POST 16 to 20 %, the records of the delivery 7 %, the outbox 4 to 6 %. PostgreSQL takes about 40 µs of processor time for a delivery and 350 for a statement, on the same two cores. Each delivery has three things to keep one after the other: the job, that its attempt begins, and how it ended. Tried with gain: what follows at once from a statement goes into the next one (four ways to PostgreSQL and back for a delivery, not five); the next delivery begins in the statement that keeps how one ended.`,
  lacks: whyNoPostgres,
  measure: (options) =>
    withPostgres((server) =>
      withNode(options, server.url(), async ({ node, receiver, url, side }) => {
        const { body } = await createItem(node)
        const bare = createBarePosts(url, { ca: receiver.ca, body, connections: IN_FLIGHT })
        try {
          const figure = ratioFigure(await compareSides({ ours: side, bare: bare.side(IN_FLIGHT) }))
          return { ...figure, detail: `${figure.detail}; the disk takes ${diskMs().toFixed(2)} ms` }
        } finally {
          await bare.close()
        }
      }),
    ),
}

export const POSTGRES_1_MS = delayRow(1, 0.9)
export const POSTGRES_5_MS = delayRow(5, 0.7)

/** What is under way when a slice ends still is waited for, which takes longer behind the delay: longer slices. */
const SLICES = { rounds: 7, sliceMs: 600 }

function delayRow(ms: number, bar: number): Row {
  return {
    id: `postgres-${ms}ms`,
    what: `the same deliveries with ${ms} ms more from the node to PostgreSQL and back ÷ without, by a proxy in a process of its own`,
    unit: '',
    better: 'more',
    bar,
    instead: 'a commit for each delivery, which waits for each round trip',
    profile: `It waits: the beginning of an attempt is kept before it is sent, one statement is under way at a time, and most answers come while another one is: two ways there and back for 64 deliveries at a time, each with the delay. Tried with gain: the place of a delivery is another's as soon as the receiver has answered, so that the next one begins in the statement that keeps how it ended (0.58 before). More places, or a second statement before the first is answered, would move it.`,
    lacks: whyNoPostgres,
    measure: (options) =>
      withPostgres(async (server) => {
        const proxy = await startChild('delay-proxy')
        try {
          const { port } = await proxy.ask<{ port: number }>({ do: 'open', port: server.port })
          return await withNode(options, server.url({ port }), async ({ side }) => {
            const near = delayed(proxy, 0, side)
            const figure = ratioFigure(
              await compareSides({ ours: delayed(proxy, ms, side), bare: near }, SLICES),
            )
            const added = await addedMs(proxy, ms, () => timeRoundTrip(server.url({ port })))
            return { ...figure, detail: `${figure.detail}; ${added.toFixed(2)} ms more by a probe` }
          })
        } finally {
          await proxy.end()
        }
      }),
  }
}

function delayed(proxy: Child, ms: number, side: Side): Side {
  return async (forMs) => {
    await proxy.ask({ do: 'delay', ms })
    return side(forMs)
  }
}

/** What the delay really comes to. */
async function addedMs(proxy: Child, ms: number, probe: () => Promise<number>): Promise<number> {
  await proxy.ask({ do: 'delay', ms: 0 })
  const without = await probe()
  await proxy.ask({ do: 'delay', ms })
  return (await probe()) - without
}
