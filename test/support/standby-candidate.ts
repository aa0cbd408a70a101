import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCandidate, type CandidateOptions } from '../../sandbox/adapters/standby/candidate.ts'
import { openStoreDatabase, type StoreDatabase } from '../../sandbox/adapters/sqlite/store-database.ts'
import { realTime } from '../../sandbox/adapters/real-time.ts'
import type { Store } from '../../sandbox/engine/state/store.ts'

export async function openCandidate(
  url: string,
  options: Partial<CandidateOptions> & { readonly name: string },
) {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-standby-'))
  const path = join(folder, 'standby.sqlite')
  const stopping = new AbortController()
  const errors: unknown[] = []
  const candidate = await createCandidate({
    url,
    // The lease is longer than any renewal delay on a busy machine. `close` releases the lease early.
    leaseMs: 60_000,
    path,
    member: {
      owner: options.name,
      address: `${options.name}:1`,
      isLoopback: false,
      name: 'm',
    },
    waiting: {},
    onError: (error) => errors.push(error),
    ...options,
  })
  let database: StoreDatabase | undefined
  let release = async () => {}

  return {
    candidate,
    errors,
    path,
    async serve() {
      const held = await candidate.take(stopping.signal)
      if (!held) throw new Error('It was stopped')
      release = held.release
      database = openStoreDatabase(path, { soon: realTime.soon, openDisk: held.openDisk })
      const store: Store = database.openDefault()
      return { held, database, store }
    },
    drop(): void {
      database?.close()
      database = undefined
    },
    async close(): Promise<void> {
      stopping.abort()
      this.drop()
      await release()
      await candidate.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Commits 20 entries in one process and closes it, so that another process takes over. */
export async function takeOver(url: string) {
  const first = await openCandidate(url, { name: 'a' })
  const second = await openCandidate(url, { name: 'b' })
  const { store } = await first.serve()
  for (let at = 1; at <= 20; at++) await store.commit([{ head: { kind: 'clock', at }, body: '' }])

  const taking = second.serve()
  await first.close()
  const taken = await taking

  const seen = { entries: taken.store.length, epoch: taken.held.lease.epoch }
  await second.close()
  return seen
}
