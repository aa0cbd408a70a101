import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'undici'
import { openChild } from './children.ts'
import { startReceiver } from './receiver.ts'
import { askJson, benchHeaders, serviceHeaders, userBody } from './requests.ts'
import type { MeasureOptions } from './row.ts'

const PARALLEL = 64

/**
 * Fills a store with jobs through the public APIs, or reuses an existing store. One in a hundred jobs has succeeded. The clock is
 * stopped, so that no job is retried. Returns the name of the store.
 */
export async function fillStore({ folder }: MeasureOptions, jobs: number): Promise<string> {
  const store = `jobs-${jobs}.sqlite`
  if (existsSync(join(folder, store))) return store
  const opening = { folder, store: `${process.pid}-${store}`, speed: 0 }
  const [receiver, sandbox] = await Promise.all([startReceiver(folder), openChild(opening)])
  try {
    const url = `${receiver.origin}/failing/users`
    await sandbox.ask({ do: 'register', url, object_type: 'users' })
    await createUsers(sandbox.serviceUrl, jobs)
    await settle(sandbox.benchUrl)
    await sandbox.ask({ do: 'close' })
    // The store gets its final name only when it is complete, because later runs reuse it.
    renameSync(join(folder, opening.store), join(folder, store))
  } finally {
    await Promise.all([receiver.end(), sandbox.end()])
  }
  return store
}

async function createUsers(service: string, count: number): Promise<void> {
  const headers = await serviceHeaders(service)
  const pool = new Pool(service, { connections: PARALLEL })
  let left = count
  const create = async () => {
    while (left-- > 0) {
      const body = userBody(`ada-${left}@example.test`)
      const answer = await pool.request({ path: '/users', method: 'POST', headers, body })
      if (answer.statusCode !== 201) throw new Error(`Cannot fill the store: ${await answer.body.text()}`)
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, create))
  await pool.close()
}

async function settle(bench: string): Promise<void> {
  const body = JSON.stringify({ timeout_ms: 600_000 })
  await askJson(`${bench}/control/settle`, { method: 'POST', headers: benchHeaders, body })
}
