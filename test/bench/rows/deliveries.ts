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

export const DELIVERIES: Row = {
  id: 'deliveries',
  what: 'deliveries over kept HTTPS connections with durable record ÷ bare `undici` to the same receiver, 64 in flight',
  unit: '',
  better: 'more',
  bar: 0.7,
  goal: 0.85,
  instead: 'a job queue: pg-boss 0.09, BullMQ 0.16, tuned graphile-worker 0.19',
  profile: `A delivery takes about 190 µs of processor time, a bare POST 40: four entries with their checksums and the COMMIT 80, the job in the indexes and the object itself 30, the POST 40. Tried with gain: waiting for the disk beside the work, one write for what comes meanwhile, random bytes many at a time, ids and events written out when somebody looks (in all 376 to 190 µs). Slices of 150 ms count the last deliveries of each whole: over six seconds the rate is a third higher.`,
  measure: (options) => compareDeliveries(options, `deliveries-${process.pid}.sqlite`),
}

export const DELIVERIES_IN_MEMORY: Row = {
  id: 'deliveries-in-memory',
  what: 'the same with `--memory`',
  unit: '',
  better: 'more',
  bar: 0.8,
  goal: 0.95,
  instead: 'a loop of `fetch`',
  profile: `writev of the socket 13 %, the collector 9 %, ids as text 7 %, the item that is made for each delivery 10 %, the outbox 9 %, undici 7 %; the rest is spread over the ways of one notification, none above 3 %.`,
  measure: (options) => compareDeliveries(options),
}
