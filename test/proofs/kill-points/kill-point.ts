import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INVARIANTS } from '../simulation/invariants/invariants.ts'
import type { Command, Plan } from '../simulation/plan.ts'
import { run, type RunOptions } from '../simulation/run.ts'
import { drawPlan } from '../simulation/seeds.ts'
import type { CrashSide, DiskOptions } from '../simulation/world/simulated-disk.ts'
import { createSqliteDisk, type SqliteDisk } from './sqlite-disk.ts'

/** A write of a scenario, and where in it the process is killed. */
export interface KillPoint {
  /** The seed that the scenario is drawn from. */
  readonly scenario: number
  /** Counted from 1. */
  readonly write: number
  readonly side: CrashSide
}

const SIDES: readonly CrashSide[] = ['before', 'middle', 'after']

/** Every point of a scenario that makes so many writes. */
export function listKillPoints(scenario: number, writes: number): readonly KillPoint[] {
  return Array.from({ length: writes }, (_, index) =>
    SIDES.map((side) => ({ scenario, write: index + 1, side })),
  ).flat()
}

/** The plan of a seed without crashes of its own, with the disk in time, and without restores: those are points of their own. */
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

/** How much is there of a write in whose middle the process is killed. */
const TORN_SHARES = [0.6, 0.01, 0.99, 0.3]

/** How many writes a scenario makes that is left alone. */
export async function countWrites(seed: number): Promise<number> {
  return withDisk(0, async (options, disk) => {
    await run(drawScenario(seed), options)
    return disk()?.writes ?? 0
  })
}

/** Runs the scenario on a real store, kills it at the point, goes on with what the store has then, and holds every invariant. */
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

/** A folder for stores, which is removed again. */
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
