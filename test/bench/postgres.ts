import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { whyMissing } from '../support/tools.ts'
import { startPostgres, type PostgresServer } from '../support/postgres.ts'
import { median } from './slices.ts'

/** What a machine has to have installed for rows with PostgreSQL; undefined where it has. */
export function whyNoPostgres(): string | undefined {
  return whyMissing('postgresql')
}

/** A server as Debian installs it, which waits for the disk at each commit; it goes when `use` has ended. */
export async function withPostgres<Result>(
  use: (server: PostgresServer) => Promise<Result>,
): Promise<Result> {
  const server = await startPostgres({ fsync: true, settings: { track_wal_io_timing: 'on' } })
  try {
    return await use(server)
  } finally {
    await server.remove()
  }
}

/** Milliseconds of the least statement, the median of many. */
export async function timeRoundTrip(connectionString: string): Promise<number> {
  const client = new Client({ connectionString })
  const times: number[] = []
  await client.connect()
  for (let round = 0; round < 100; round++) {
    const startedAt = performance.now()
    await client.query('SELECT 1')
    times.push(performance.now() - startedAt)
  }
  await client.end()
  return median(times)
}

/** Milliseconds that the disk below PostgreSQL takes to keep a page: a disk that takes none makes every figure a promise only. */
export function diskMs(): number {
  const folder = mkdtempSync('/tmp/hookbench-disk-')
  const file = openSync(join(folder, 'page'), 'w')
  const times: number[] = []
  for (let round = 0; round < 50; round++) {
    const startedAt = performance.now()
    writeSync(file, Buffer.alloc(8_192, round), 0, 8_192, 0)
    fdatasyncSync(file)
    times.push(performance.now() - startedAt)
  }
  closeSync(file)
  rmSync(folder, { recursive: true })
  return median(times)
}
