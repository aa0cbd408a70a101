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
  profile: `A delivery takes about 145 µs of processor time, a bare POST 35 to 40. Of ours: the POST itself a quarter (writev 12 %), the disk a quarter (waking the thread that waits for it 11 %, COMMIT and the WAL 7 %, rows and their checksums 6 %), the collector 12 %, JSON of the object and of both records 6 %; the rest is spread, nothing above 3 %. Tried with gain: waiting for the disk beside the work, one write for what comes meanwhile, random bytes many at a time, ids and events written out when somebody looks (376 to 190 µs); heads printed in one go, records of jobs and numbers of ids kept for a moment, ids in one piece (190 to 155; the items, which are made before the time begins, took 10 more). Tried without: one statement for all entries of a commit, since the rows are not what takes the time; a write in the middle of a wait for the disk; longer waits with fewer writes. A store that keeps four entries with checksums for each delivery does not come nearer to a POST that keeps nothing.`,
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
  profile: `About 85 µs of processor time: the collector 19 % (all that is kept grows old in it), the POST a third (writev 9 %), JSON of the object and the outbox 6 %, the indexes 5 %, the ways of promises between trigger and record 5 %; nothing else is above 3 %. Tried with gain: as above. The items are made before the time begins: they took 15 %, and are what a platform does, not a delivery.`,
  measure: (options) => compareDeliveries(options),
}
