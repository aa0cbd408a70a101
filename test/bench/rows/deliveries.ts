import { createBarePosts } from '../bare-posts.ts'
import { startReceiver } from '../receiver.ts'
import { ratioFigure, type Figure, type MeasureOptions, type Row } from '../row.ts'
import { createItem, openSandbox, registerUrl, sendFor } from '../sandbox.ts'
import { compareSides } from '../slices.ts'

const IN_FLIGHT = 64

async function compareDeliveries({ folder }: MeasureOptions, store?: string): Promise<Figure> {
  const receiver = await startReceiver(folder)
  const sandbox = await openSandbox({ folder, ...(store !== undefined && { store }), concurrency: IN_FLIGHT })
  const url = `${receiver.origin}/notifications/items`
  const { body } = await createItem(sandbox)
  const bare = createBarePosts(url, { ca: receiver.ca, body, connections: IN_FLIGHT })
  try {
    await registerUrl(sandbox, { url, object_type: 'items' })
    const ours = (forMs: number) => sendFor(sandbox, { forMs, parallel: IN_FLIGHT })
    return ratioFigure(await compareSides({ ours, bare: bare.side(IN_FLIGHT) }))
  } finally {
    await bare.close()
    await sandbox.close()
    await receiver.end()
  }
}

const PROFILE =
  'A delivery runs eight SQLite statements, four of them for the history. About 13 deliveries share a transaction. In memory, ' +
  'the statements take 18 % of the time, the garbage collector 6 %, and writes to sockets 7 %. The rest of the time is spread over many functions. ' +
  'The store writes counters once for each transaction. Ids are texts in one piece, because JSON.stringify() formats joined texts two to four times more slowly. ' +
  'New ids begin alike, so that the tables change fewer pages. This saves 40 % of the written data.'

export const DELIVERIES: Row = {
  id: 'deliveries',
  what: 'the rate of durably recorded deliveries over keep-alive HTTPS connections, compared with bare `undici` to the same receiver, with 64 requests in flight',
  unit: '',
  better: 'more',
  bar: 0.2,
  goal: 0.3,
  instead: 'a job queue. For example, pg-boss reaches 0.09, BullMQ 0.16, and a tuned graphile-worker 0.19',
  profile: `${PROFILE} With a file, statements take 14 %, COMMIT 9 % and checkpoints 4 %.`,
  measure: (options) => compareDeliveries(options, `deliveries-${process.pid}.sqlite`),
}

export const DELIVERIES_IN_MEMORY: Row = {
  id: 'deliveries-in-memory',
  what: 'the rate of deliveries with `--memory`, compared with bare `undici` to the same receiver',
  unit: '',
  better: 'more',
  bar: 0.3,
  goal: 0.5,
  instead: 'a loop of `fetch()` calls',
  profile: `${PROFILE} A COMMIT in memory often visits every page of the database, 1.2 ms after 50,000 rows. Therefore, each batch in memory is a savepoint instead of a COMMIT, which saves a sixth of the processor time.`,
  measure: (options) => compareDeliveries(options),
}
