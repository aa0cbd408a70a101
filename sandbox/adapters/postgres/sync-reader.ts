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

/** What is waited for at most. */
const PATIENCE_MS = 10_000

/** In a thread of its own, which is started at the first question. */
export function createSyncReader(place: PostgresPlace): SyncReader {
  const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const { port1: port, port2: far } = new MessageChannel()
  let worker: Worker | undefined
  let isClosed = false

  function start(): Worker {
    const driver = createRequire(import.meta.url).resolve('pg')
    const workerData = { driver, url: place.url, port: far, signal, patienceMs: PATIENCE_MS }
    const started = new Worker(WORKER, { eval: true, workerData, transferList: [far] })
    started.unref()
    return started
  }

  return {
    query(sql, values) {
      if (isClosed) return []
      worker ??= start()
      Atomics.store(signal, 0, 0)
      port.postMessage({ sql, values })
      Atomics.wait(signal, 0, 0, PATIENCE_MS)
      const answer: Answer | undefined = receiveMessageOnPort(port)?.message
      if (answer?.rows) return answer.rows
      const why = answer?.failure ?? 'it does not answer'
      throw new StorageError('away', `Cannot read from PostgreSQL (${place.shown}): ${why}`)
    },
    close() {
      isClosed = true
      port.close()
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
const { workerData } = require('node:worker_threads')
const { driver, url, port, signal, patienceMs } = workerData
const { Client } = require(driver)
let connected
async function connect() {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: patienceMs, query_timeout: patienceMs })
  client.on('error', () => { connected = undefined })
  await client.connect()
  return client
}
async function answer({ sql, values }) {
  try {
    connected ??= connect()
    return { rows: (await (await connected).query(sql, values)).rows }
  } catch (error) {
    connected = undefined
    return { failure: error.message || error.code }
  }
}
port.on('message', async (question) => {
  port.postMessage(await answer(question))
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
})
`
