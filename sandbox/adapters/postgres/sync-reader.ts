import { createRequire } from 'node:module'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Row } from './query.ts'
import type { PostgresPlace } from './place.ts'
import { StorageError } from '../../engine/state/log.ts'

/** Asks PostgreSQL and waits for the answer, as nothing else in this process goes on meanwhile. */
export interface SyncReader {
  /** Throws StorageError `away` if there is no answer. Once it is closed there is nothing. */
  query(sql: string, values: readonly unknown[]): readonly Row[]
  close(): void
}

export interface SyncReaderOptions {
  /** What a question is waited for at most. The whole process stands still meanwhile: well below the time of a lease. */
  readonly patienceMs: number
  /** Of a clock that nobody moves. */
  readonly now?: () => number
}

/** How long a connection may take: a later question finds it ready. */
const CONNECTION_MS = 10_000

/** Until when nobody waits again: whichever reader of a database does, the whole process stands still. */
const restEnds = new WeakMap<PostgresPlace, number>()

/** In a thread of its own, which is started at the first question. */
export function createSyncReader(place: PostgresPlace, options: SyncReaderOptions): SyncReader {
  const { patienceMs, now = () => performance.now() } = options
  let worker: Worker | undefined
  let isClosed = false

  function start(): Worker {
    const driver = createRequire(import.meta.url).resolve('pg')
    const workerData = { driver, url: place.url, connectionMs: CONNECTION_MS, patienceMs }
    const started = new Worker(WORKER, { eval: true, workerData })
    started.unref()
    return started
  }

  /** Undefined if there was none in time. What comes later comes where nobody looks: no other question takes it for its own answer. */
  function ask(sql: string, values: readonly unknown[]): Answer | undefined {
    const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const { port1: port, port2: far } = new MessageChannel()
    worker ??= start()
    worker.postMessage({ sql, values, signal, port: far }, [far])
    Atomics.wait(signal, 0, 0, patienceMs)
    Atomics.store(signal, 0, 1)
    const answer: Answer | undefined = receiveMessageOnPort(port)?.message
    port.close()
    return answer
  }

  const away = (why = 'it does not answer') =>
    new StorageError('away', `Cannot read from PostgreSQL (${place.shown}): ${why}`)

  return {
    query(sql, values) {
      if (isClosed) return []
      // Who waited in vain gets on with all else, such as leases that are to be extended, before it waits again.
      if (now() < (restEnds.get(place) ?? 0)) throw away()
      const answer = ask(sql, values)
      if (answer?.rows) return answer.rows
      if (!answer) restEnds.set(place, now() + patienceMs)
      throw away(answer?.failure)
    },
    close() {
      isClosed = true
      void worker?.terminate()
    },
  }
}

interface Answer {
  readonly rows?: readonly Row[]
  readonly failure?: string
}

/** Text, as a thread takes it wherever this file has been put: in a package, in one file, or before it was built. */
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
const { driver, url, connectionMs, patienceMs } = workerData
const { Client } = require(driver)
let current
function connect() {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectionMs, query_timeout: patienceMs })
  const made = { client, connected: client.connect() }
  client.on('error', () => forget(made))
  return made
}
function forget(made) {
  if (current === made) current = undefined
  made.client.end().catch(() => {})
}
async function answer({ sql, values, signal }) {
  const made = (current ??= connect())
  try {
    await made.connected
    const isAwaited = Atomics.load(signal, 0) === 0
    return isAwaited ? { rows: (await made.client.query(sql, values)).rows } : {}
  } catch (error) {
    forget(made)
    return { failure: error.message || error.code }
  }
}
parentPort.on('message', async (question) => {
  question.port.postMessage(await answer(question))
  Atomics.store(question.signal, 0, 1)
  Atomics.notify(question.signal, 0)
})
`
