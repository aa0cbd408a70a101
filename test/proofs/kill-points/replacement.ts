import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry } from '../../../sandbox/engine/state/entries.ts'
import { testSandbox, type TestSandbox } from '../../support/test-sandbox.ts'
import type { CrashSide } from '../simulation/world/simulated-disk.ts'
import { createSqliteDisk, type SqliteDisk } from './sqlite-disk.ts'

/** What takes the place of everything, with the write in which the process is killed. */
export interface ReplacementPoint {
  readonly by: 'restore' | 'reset'
  /** Counted from 1, from where it begins. */
  readonly write: number
  readonly side: CrashSide
}

const soon = (run: () => void) => queueMicrotask(run)

/** Far more than a snapshot of this size takes. */
const MOST_WRITES = 20

/** All points of both: as many as they make writes. */
export async function listReplacementPoints(): Promise<readonly ReplacementPoint[]> {
  const points: ReplacementPoint[] = []
  for (const by of ['restore', 'reset'] as const) {
    const { writes, status } = await replaceAt({ by, write: MOST_WRITES, side: 'after' })
    if (status !== 200) throw new Error(`Cannot list the points of a ${by}: it is answered ${status}`)
    for (let write = 1; write <= writes; write++)
      for (const side of ['before', 'middle', 'after'] as const) points.push({ by, write, side })
  }
  return points
}

/** Kills a process while everything is replaced; what the next one finds is all that was there, or all that takes its place. */
export async function judgeReplacement(point: ReplacementPoint): Promise<readonly string[]> {
  const { before, wanted, found, undelivered, errors } = await replaceAt(point)
  const isWhole = [before, wanted].some((entries) => isSame(found, entries))
  return [
    ...(isWhole
      ? []
      : [`${found.length} entries are neither the ${before.length} before nor the ${wanted.length} wanted`]),
    ...(undelivered === 0 ? [] : [`${undelivered} jobs are left behind`]),
    ...errors.map(String),
  ]
}

const isSame = (first: readonly Entry[], second: readonly Entry[]) =>
  JSON.stringify(first.map(toPlain)) === JSON.stringify(second.map(toPlain))

const toPlain = ({ head, body }: Entry) => [
  Object.entries(head).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  body,
]

async function replaceAt({ by, write, side }: ReplacementPoint) {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-replacement-'))
  let ticks = 0
  const disk = createSqliteDisk({ folder, tick: () => ++ticks, tornShare: 0.5 })
  try {
    const sandbox = await openBusy(disk)
    const snapshot = (await sandbox.control('GET', '/snapshot')).body
    await sandbox.control('POST', '/objects/items', {})
    await sandbox.control('POST', '/clock/advance', { by: '30m' })
    const before = disk.entries()

    const first = disk.writes
    disk.onWrite = (number) => (number === first + write ? side : 'write')
    const { status } = await (by === 'restore'
      ? sandbox.control('PUT', '/snapshot', snapshot)
      : sandbox.control('POST', '/reset'))
    const writes = disk.writes - first
    disk.onWrite = () => 'write'

    const again = testSandbox({ store: disk.open({ soon }) })
    const found = disk.entries()
    await again.control('POST', '/clock/advance', { by: '72h' })
    const undelivered = again.store.jobs().filter(({ next_due_at }) => next_due_at !== null).length
    const { now, speed } = snapshot.clock
    const clock: Entry = { head: { kind: 'clock', at: Date.parse(now), speed }, body: '' }
    const wanted: readonly Entry[] = by === 'reset' ? [] : [...snapshot.entries, clock]
    return { before, wanted, found, undelivered, writes, status, errors: [...again.errors, ...disk.verify()] }
  } finally {
    disk.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A sandbox with jobs that are delivered, failed and due. */
async function openBusy(disk: SqliteDisk): Promise<TestSandbox> {
  const sandbox = testSandbox({
    store: disk.open({ soon }),
    script: (_, index) => (index % 3 === 0 ? 200 : 503),
  })
  await sandbox.register()
  for (let count = 0; count < 6; count++) await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('POST', '/clock/advance', { by: '10m' })
  return sandbox
}
