import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'undici'
import { startChild } from './children.ts'
import { startReceiver } from './receiver.ts'
import { benchHeaders, serviceHeaders } from './requests.ts'
import type { MeasureOptions } from './row.ts'

/** A store with failed jobs that wait for a retry. One in a hundred jobs has succeeded. */
export interface FilledStore {
  readonly store: string
  readonly jobs: number
}

const PARALLEL = 64

/** Fills a store with jobs through the public APIs, or reuses an existing store. The clock is stopped, so that no job is retried. */
export async function fillStore({ folder }: MeasureOptions, jobs: number): Promise<FilledStore> {
  const store = `jobs-${jobs}.sqlite`
  if (existsSync(join(folder, store))) return { store, jobs }
  const [receiver, sandbox] = await Promise.all([startReceiver(folder), startChild('sandbox')])
  try {
    const opening = { folder, store: `${process.pid}-${store}`, speed: 0 }
    const urls = await sandbox.ask<{ serviceUrl: string; benchUrl: string }>({ do: 'open', opening })
    const url = `${receiver.origin}/failing/users`
    await sandbox.ask({ do: 'register', url, object_type: 'users' })
    await createUsers(urls.serviceUrl, jobs)
    await settle(urls.benchUrl)
    await sandbox.ask({ do: 'close' })
    // Only a complete store gets its final name.
    renameSync(join(folder, opening.store), join(folder, store))
  } finally {
    await Promise.all([receiver.end(), sandbox.end()])
  }
  return { store, jobs }
}

async function createUsers(service: string, count: number): Promise<void> {
  const headers = { ...(await serviceHeaders(service)), 'content-type': 'application/json' }
  const pool = new Pool(service, { connections: PARALLEL })
  let left = count
  const create = async () => {
    while (left-- > 0) {
      const body = JSON.stringify({
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: `ada-${left}@example.test`,
        country: 'AUS',
      })
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
  const answer = await fetch(`${bench}/control/settle`, { method: 'POST', headers: benchHeaders, body })
  if (!answer.ok) throw new Error(`Cannot fill the store: ${await answer.text()}`)
}
