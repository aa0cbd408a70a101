import type { JobRecord } from '../state/indexes.ts'
import { createLane, type Lane } from './lane.ts'

/** Runs due jobs, each registration's in a lane of its own. */
export interface Lanes {
  add(job: JobRecord): void
  /** Resolves when no job waits or is under way. */
  idle(): Promise<void>
  /** Starts nothing more; resolves when nothing is under way. */
  stop(): Promise<void>
}

/** `run` makes one attempt and never rejects. */
export function createLanes(run: (job: JobRecord) => Promise<void>, concurrency?: number): Lanes {
  const laneById = new Map<string, Lane>()
  const waiting = new Set<() => void>()
  let present = 0
  let underWay = 0
  let stopped = false

  const isQuiet = () => (stopped ? underWay : present) === 0

  async function start(lane: Lane, job: JobRecord): Promise<void> {
    const wasRetry = job.attempts.length > 0
    underWay++
    await run(job)
    underWay--
    present--
    lane.done(job, wasRetry)
    pump(lane)
    if (!isQuiet()) return
    for (const resolve of waiting) resolve()
    waiting.clear()
  }

  function pump(lane: Lane): void {
    if (stopped) return
    for (let job = lane.take(); job; job = lane.take()) void start(lane, job)
  }

  async function quiet(): Promise<void> {
    if (!isQuiet()) await new Promise<void>((resolve) => waiting.add(resolve))
  }

  return {
    add(job) {
      const lane = laneById.get(job.registration_id) ?? createLane(concurrency)
      laneById.set(job.registration_id, lane)
      present++
      lane.add(job)
      pump(lane)
    },
    idle: quiet,
    stop() {
      stopped = true
      return quiet()
    },
  }
}
