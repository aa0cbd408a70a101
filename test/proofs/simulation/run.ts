import { createHash } from 'node:crypto'
import { perform } from './commands.ts'
import { replay, type ReferenceModel } from './reference-model.ts'
import type { Plan } from './plan.ts'
import { registrationsOf } from './plan-arbitrary.ts'
import type { CrashPoint } from './world/simulated-disk.ts'
import type { History, WrittenEntry } from './world/history.ts'
import { START, type Setup } from './world/incarnation.ts'
import { createWorld, type World, type WorldOptions } from './world/world.ts'

export interface Run {
  readonly setup: Setup
  readonly history: History
  readonly model: ReferenceModel
  /** The hash of all events. The same plan always gives the same hash. */
  readonly trace: string
  /** The sandbox time from which every receiver and disk works again. */
  readonly healthyFrom: number
  readonly endedAt: number
  /** Jobs that were still due after three days without faults. */
  readonly stuck: readonly string[]
  readonly storeProblems: readonly string[]
  readonly jobs: readonly JobAtEnd[]
}

export interface JobAtEnd {
  readonly id: string
  readonly status: string
  readonly attempts: number
  readonly next_due_at: string | null
}

const DAY_MS = 24 * 3_600_000
export const RUN_DAYS = 30

export interface RunOptions extends WorldOptions {
  readonly isQuiet?: boolean
  readonly crashPoint?: CrashPoint
}

/** Runs the plan for thirty days or longer. Then repairs all receivers and disks, and waits for all remaining work. */
export async function run(
  { setup, commands }: Plan,
  { isQuiet = false, crashPoint, ...options }: RunOptions = {},
): Promise<Run> {
  const world = createWorld(setup, options)
  world.crashAt(crashPoint)
  await world.start()
  for (const [index, command] of commands.entries()) {
    await world.revive()
    await perform(command, world, index + 1)
    if (isQuiet) await world.drive(world.sandbox().assembled.idle())
  }
  await advanceTo(START + RUN_DAYS * DAY_MS, world)

  await world.revive()
  world.spoilDisk(0)
  world.time.goOn()
  for (const { url } of registrationsOf(world)) world.receivers.set(url, [200])
  const healthyFrom = world.sandbox().clock.now()
  await world.drive(world.platform.bench('POST', '/objects/items', {}))
  await advanceTo(healthyFrom + 3 * DAY_MS, world)
  await world.revive()
  const stuck = listDue(world)
  await world.close()
  await world.start()
  await advanceTo(healthyFrom + 4 * DAY_MS, world)
  await world.flush()
  return { ...conclude(setup, world, healthyFrom), stuck }
}

function listDue(world: World): readonly string[] {
  const { assembled, clock } = world.sandbox()
  const now = clock.now()
  return assembled.store
    .jobs()
    .filter(({ next_due_at }) => next_due_at !== null && next_due_at <= now)
    .map(({ id }) => id)
}

/** The maximum number of advances. Crashes and full disks end an advance early. */
const MAX_ADVANCES = 100

async function advanceTo(time: number, world: World): Promise<void> {
  const to = new Date(time).toISOString()
  await world.revive()
  for (let count = 0; world.sandbox().clock.now() < time; count++) {
    if (count === MAX_ADVANCES) throw new Error(`The clock does not come to ${to}`)
    await world.drive(world.platform.bench('POST', '/clock/advance', { to }))
    await world.revive()
    // While the disk is full, the sandbox checks for space only at intervals, so real time must pass.
    if (world.sandbox().clock.now() < time) world.time.goOn()
  }
}

function conclude(setup: Setup, world: World, healthyFrom: number): Omit<Run, 'stuck'> {
  const { history } = world
  const entries = world.entries()
  const jobs = world.sandbox().assembled.store.jobs()
  return {
    setup,
    history,
    model: replay(entries),
    trace: hashOf(entries, history),
    healthyFrom,
    endedAt: world.sandbox().clock.now(),
    storeProblems: world.disk.verify(),
    jobs: jobs.map(({ id, status, attempts, next_due_at }) => ({
      id,
      status,
      attempts,
      next_due_at: next_due_at === null ? null : new Date(next_due_at).toISOString(),
    })),
  }
}

function hashOf(entries: readonly WrittenEntry[], history: History): string {
  const { posts, calls, crashes, starts, listings } = history
  const hash = createHash('sha256')
  for (const { head, body, tick } of entries) hash.update(`${tick} ${JSON.stringify(head)}`).update(body)
  for (const { outcome, body, ...post } of posts) {
    const end = outcome?.kind === 'answered' ? outcome.status : outcome?.reason
    hash.update(JSON.stringify([post, end])).update(body)
  }
  for (const part of [calls, crashes, starts, listings]) hash.update(JSON.stringify(part))
  return hash.digest('hex')
}
