import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { INVARIANTS } from '../simulation/invariants/invariants.ts'
import type { Command, Plan } from '../simulation/plan.ts'
import { run, type RunOptions } from '../simulation/run.ts'
import { drawPlan } from '../simulation/variants.ts'
import type { CrashSide, DiskOptions } from '../simulation/world/simulated-disk.ts'
import { createSqliteDisk, type SqliteDisk } from './sqlite-disk.ts'
import type { Entry } from '../../../sandbox/engine/state/entries.ts'
import { type TestSandbox, testSandbox } from '../../support/test-sandbox.ts'

export interface KillPoint {
  readonly scenario: number
  readonly write: number
  readonly side: CrashSide
}

const SIDES: readonly CrashSide[] = ['before', 'middle', 'after']

export function listKillPoints(scenario: number, writes: number): readonly KillPoint[] {
  return Array.from({ length: writes }, (_, index) =>
    SIDES.map((side) => ({ scenario, write: index + 1, side })),
  ).flat()
}

/** Draws a random plan without crashes, slow disks or restores. */
function drawScenario(seed: number): Plan {
  const { setup, commands } = drawPlan(seed)
  return {
    setup: { ...setup, slowDisk: false },
    commands: commands.flatMap((command): readonly Command[] => {
      if (command.kind === 'crash') return [command.during]
      if (command.kind === 'crowd') return [{ ...command, failsSync: false, loss: undefined }]
      return ['bad-disk', 'save', 'replace'].includes(command.kind) ? [] : [command]
    }),
  }
}

/** The shares of an interrupted write that reach the disk, from 0 to 1. */
const TORN_SHARES = [0.6, 0.01, 0.99, 0.3]

export async function countWrites(seed: number): Promise<number> {
  return withDisk(0, async (options, disk) => {
    await run(drawScenario(seed), options)
    return disk()?.writes ?? 0
  })
}

/** Kills a process at the given point, restarts it with the same store, and checks every invariant. */
export async function judgeKillPoint({ scenario, write, side }: KillPoint): Promise<readonly string[]> {
  try {
    return await withDisk(TORN_SHARES[write % TORN_SHARES.length] ?? 0, async (options) => {
      const crashPoint = { after: 'writes', count: write - 1, side } as const
      const done = await run(drawScenario(scenario), { ...options, crashPoint })
      return INVARIANTS.flatMap(({ id, check }) => check(done).map((problem) => `${id}: ${problem}`))
    })
  } catch (error) {
    return [`The run did not come to its end: ${String(error)}`]
  }
}

async function withDisk<Result>(
  tornShare: number,
  use: (options: RunOptions, disk: () => SqliteDisk | undefined) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-kill-points-'))
  let disk: SqliteDisk | undefined
  const createDisk = (options: DiskOptions) => (disk = createSqliteDisk({ ...options, folder, tornShare }))
  try {
    return await use({ createDisk }, () => disk)
  } finally {
    disk?.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface ReplacementPoint {
  readonly by: 'restore' | 'reset'
  /** The position of the write in the restore or reset, counted from 1. */
  readonly write: number
  readonly side: CrashSide
}

const soon = (task: () => void) => queueMicrotask(task)

/** The maximum number of writes. In these tests, a restore or reset takes far fewer than 20 writes. */
const MAX_WRITES = 20

/** Lists each kill point of a restore and of a reset: before, during and after each write. */
export async function listReplacementPoints(): Promise<readonly ReplacementPoint[]> {
  const points: ReplacementPoint[] = []
  for (const by of ['restore', 'reset'] as const) {
    const { writes, status } = await replaceAt({ by, write: MAX_WRITES, side: 'after' })
    if (status !== 200) throw new Error(`Cannot list the points of a ${by}: it is answered ${status}`)
    for (let write = 1; write <= writes; write++) for (const side of SIDES) points.push({ by, write, side })
  }
  return points
}

/** Kills a process while it replaces the world. The next process must find the complete old world or the complete new world. */
export async function judgeReplacement(point: ReplacementPoint): Promise<readonly string[]> {
  const { before, wanted, found, undelivered, errors } = await replaceAt(point)
  const isWhole = [before, wanted].some((entries) =>
    isDeepStrictEqual(found.map(toPlain), entries.map(toPlain)),
  )
  return [
    ...(isWhole
      ? []
      : [`${found.length} entries are neither the ${before.length} before nor the ${wanted.length} wanted`]),
    ...(undelivered === 0 ? [] : [`${undelivered} jobs are left behind`]),
    ...errors.map(String),
  ]
}

const toPlain = ({ head, body }: Entry) => ({ head, body })

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
