/** What a delivery costs whom, as it was measured; milliseconds. */
export interface Costs {
  /** Processor time of the node, for each delivery. */
  readonly nodeMs: number
  /** Processor time of PostgreSQL for each statement, beside what its rows take. */
  readonly statementMs: number
  /** The same for what the rows of one delivery take, in all statements. */
  readonly rowsMs: number
  /** How long the disk takes to keep what was written. */
  readonly diskMs: number
  /** From the POST to its answer, beside the node's work. */
  readonly answerMs: number
}

/** A job and its beginning, then the attempt's beginning, then its end: each waits for a statement of its own. */
const STAGES = 3
const IN_FLIGHT = 64
const [WARM_UP_MS, RUN_MS] = [500, 4_000]

/**
 * Deliveries a second of so many nodes, each with a processor of its own, 64 in flight and one statement under way; calculated event by
 * event. PostgreSQL has one processor for all of them, and waits for the disk as it does: at once for all that was carried out
 * before the wait began.
 */
export function simulateNodes(count: number, costs: Costs): number {
  const events = createEvents()
  const database = { processor: createServer(events), disk: createDisk(events, costs.diskMs) }
  let ended = 0
  const nodes = Array.from({ length: count }, () =>
    createNode({ events, database, costs }, () => void (ended += events.now() > WARM_UP_MS ? 1 : 0)),
  )
  for (const node of nodes) for (let place = 0; place < IN_FLIGHT; place++) node.begin()
  events.run(WARM_UP_MS + RUN_MS)
  return (ended / RUN_MS) * 1_000
}

interface Parts {
  readonly events: Events
  readonly database: { readonly processor: Server; readonly disk: Disk }
  readonly costs: Costs
}

function createNode({ events, database, costs }: Parts, onDelivered: () => void) {
  const { nodeMs, statementMs, rowsMs, answerMs } = costs
  const processor = createServer(events)
  let waiting: (() => void)[] = []
  let isUnderWay = false
  const work = (then: () => void) => processor.do(nodeMs / STAGES, then)

  function write(): void {
    if (isUnderWay || waiting.length === 0) return
    const batch = waiting
    waiting = []
    isUnderWay = true
    const end = () => {
      isUnderWay = false
      for (const then of batch) then()
      write()
    }
    database.processor.do(statementMs + (batch.length * rowsMs) / STAGES, () => database.disk.keep(end))
  }

  const keep = (then: () => void) => () => {
    waiting.push(then)
    write()
  }

  /** One place's deliveries, one behind the other. */
  function begin(): void {
    const end = keep(() => {
      onDelivered()
      begin()
    })
    const post = () => events.after(answerMs, () => work(end))
    work(keep(() => work(keep(post))))
  }

  return { begin }
}

interface Server {
  /** After all that it was given before. */
  do(ms: number, then: () => void): void
}

function createServer(events: Events): Server {
  let freeAt = 0
  return {
    do(ms, then) {
      freeAt = Math.max(freeAt, events.now()) + ms
      events.after(freeAt - events.now(), then)
    },
  }
}

interface Disk {
  keep(then: () => void): void
}

function createDisk(events: Events, diskMs: number): Disk {
  let waiting: (() => void)[] = []
  let isBusy = false

  function flush(): void {
    if (isBusy || waiting.length === 0) return
    const flushed = waiting
    waiting = []
    isBusy = true
    events.after(diskMs, () => {
      isBusy = false
      flush()
      for (const then of flushed) then()
    })
  }

  return {
    keep(then) {
      waiting.push(then)
      flush()
    },
  }
}

interface Events {
  now(): number
  after(ms: number, run: () => void): void
  run(until: number): void
}

/** The earliest first, and of those at one time the one that was added first. */
function createEvents(): Events {
  let heap: { readonly at: number; readonly run: () => void }[] = []
  let now = 0
  return {
    now: () => now,
    after(ms, run) {
      const at = now + ms
      const index = heap.findLastIndex((each) => each.at <= at)
      heap.splice(index + 1, 0, { at, run })
    },
    run(until) {
      for (let next = heap.shift(); next && next.at <= until; next = heap.shift()) {
        now = next.at
        next.run()
      }
      heap = []
    },
  }
}
