import { createBarePosts } from '../bare-posts.ts'
import { startReceiver } from '../receiver.ts'
import { ratioFigure, type Figure, type MeasureOptions, type Row } from '../row.ts'
import { createItem, openSandbox, registerUrl, sendFor } from '../sandbox.ts'
import { compareSides } from '../slices.ts'

const IN_FLIGHT = 64

/** Deliveries with their records, job before and attempt after, against bare POSTs of the same bytes from this process. */
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
  'A delivery runs ten statements of SQLite, four of them for the history. About 13 deliveries share a transaction. In memory, ' +
  'statements and COMMIT take 30 % of the time, the garbage collector 20 %, and writes to sockets 8 %. Two changes saved a dozen ' +
  'statements: counters are written once for each transaction, and rows are kept for the next step. Pages of 4 KiB brought no clear gain.'

export const DELIVERIES: Row = {
  id: 'deliveries',
  what: 'deliveries over kept HTTPS connections with durable record ÷ bare `undici` to the same receiver, 64 in flight',
  unit: '',
  better: 'more',
  bar: 0.2,
  goal: 0.3,
  instead: 'a job queue: pg-boss 0.09, BullMQ 0.16, tuned graphile-worker 0.19',
  profile: `${PROFILE} With a file, COMMIT and checkpoints take 6 % each, and a third of the time is waiting for the disk.`,
  measure: (options) => compareDeliveries(options, `deliveries-${process.pid}.sqlite`),
}

export const DELIVERIES_IN_MEMORY: Row = {
  id: 'deliveries-in-memory',
  what: 'the same with `--memory`',
  unit: '',
  better: 'more',
  bar: 0.3,
  goal: 0.5,
  instead: 'a loop of `fetch`',
  profile: PROFILE,
  measure: (options) => compareDeliveries(options),
}
