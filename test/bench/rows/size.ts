import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { startChild } from '../children.ts'
import type { MeasureOptions, Row } from '../row.ts'
import { median } from '../slices.ts'
import { fillStore } from '../stores.ts'

const ROUNDS = 3

interface Restarted {
  readonly ms: number
  readonly mb: number
}

async function restart(folder: string, store: string): Promise<Restarted> {
  const taken: Restarted[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const child = await startChild('sandbox')
    const startedAt = performance.now()
    const opening = { folder, store, speed: 0 }
    const { benchUrl } = await child.ask<{ benchUrl: string }>({ do: 'open', opening })
    await fetch(`${benchUrl}/control/health`)
    const ms = performance.now() - startedAt
    await setTimeout(2_000)
    taken.push({ ms, mb: residentMb(child.pid) })
    await child.end()
  }
  return { ms: median(taken.map(({ ms }) => ms)), mb: median(taken.map(({ mb }) => mb)) }
}

export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
}

async function compareWithEmpty(options: MeasureOptions) {
  const store = await fillStore(options, options.jobs)
  const empty = await restart(options.folder, await fillStore(options, 0))
  const full = await restart(options.folder, store)
  return { empty, full }
}

export const RESTART: Row = {
  id: 'restart',
  what: 'the time to restart a killed sandbox with many failed jobs, minus the time to start an empty sandbox',
  unit: 'ms',
  better: 'less',
  bar: 100,
  goal: 30,
  instead: 'a queue in a database, which loads nothing at the start',
  profile:
    'A store with 80,000 entries takes 20 ms longer to open than an empty store. At the start, the sandbox reads the write-ahead log (40 MB in this measurement) and the newest 4,000 entries.',
  depends: 'jobs',
  async measure(options) {
    const { empty, full } = await compareWithEmpty(options)
    return {
      value: full.ms - empty.ms,
      detail: `${Math.round(full.ms)} ms against ${Math.round(empty.ms)}`,
    }
  },
}

export const MEMORY: Row = {
  id: 'memory',
  what: 'resident memory two seconds after a restart, minus the memory of an empty sandbox',
  unit: 'MB',
  better: 'less',
  bar: 40,
  goal: 20,
  instead: 'a queue in a database',
  depends: 'jobs',
  async measure(options) {
    const { empty, full } = await compareWithEmpty(options)
    return { value: full.mb - empty.mb, detail: `${Math.round(full.mb)} MB against ${Math.round(empty.mb)}` }
  },
}

export const DISK: Row = {
  id: 'disk',
  what: 'bytes on disk for a job with one attempt, without the bodies of the job and the attempt',
  unit: 'bytes',
  better: 'less',
  bar: 2_500,
  instead: 'a row and its indexes in PostgreSQL',
  depends: 'jobs',
  async measure(options) {
    const store = await fillStore(options, options.jobs)
    const path = join(options.folder, store)
    const database = new DatabaseSync(path, { readOnly: true })
    // The figure excludes all bodies, and includes the `head` column only for jobs and attempts.
    const { other } = database
      .prepare(
        `SELECT sum(length(CAST(body AS BLOB))) + sum(iif(kind IN ('job', 'attempt'), 0, length(head))) AS other
         FROM history`,
      )
      .get() as { other: number }
    database.close()
    const bytes = statSync(path).size
    const detail = `the store takes ${Math.round(bytes / 1e6)} MB, of which bodies and objects take ${Math.round(other / 1e6)} MB`
    return { value: (bytes - other) / options.jobs, detail }
  },
}
