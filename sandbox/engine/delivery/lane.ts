import { createQueue } from '../core/queue.ts'
import type { JobRecord } from '../state/indexes.ts'

/** How many first attempts one registration may have under way at once, and half as many retries. */
const CONCURRENCY = 64

/**
 * The jobs of one registration that are due. First attempts start in trigger order, and those of one object one after
 * the other, so that a healthy receiver sees an object's states in order. Retries have places of their own, so that
 * they never hold up a later job, and no lane knows of another.
 */
export interface Lane {
  readonly idle: boolean
  add(job: JobRecord): void
  /** The next job that may start now; it is under way until `done`. */
  take(): JobRecord | undefined
  done(job: JobRecord, wasRetry: boolean): void
}

export function createLane(concurrency = CONCURRENCY): Lane {
  const firsts = createQueue<JobRecord>()
  const retries = createQueue<JobRecord>()
  const busyObjects = new Set<string>()
  let firstsUnderWay = 0
  let retriesUnderWay = 0

  function takeFirst(): JobRecord | undefined {
    const job = firsts.peek()
    if (!job || firstsUnderWay >= concurrency || busyObjects.has(job.object_id)) return undefined
    firsts.shift()
    firstsUnderWay++
    busyObjects.add(job.object_id)
    return job
  }

  function takeRetry(): JobRecord | undefined {
    const job = retriesUnderWay < Math.ceil(concurrency / 2) ? retries.shift() : undefined
    if (job) retriesUnderWay++
    return job
  }

  return {
    get idle() {
      return firsts.length + retries.length + firstsUnderWay + retriesUnderWay === 0
    },
    add(job) {
      if (job.attempts.length === 0) firsts.push(job)
      else retries.push(job)
    },
    take: () => takeFirst() ?? takeRetry(),
    done(job, wasRetry) {
      if (wasRetry) {
        retriesUnderWay--
        return
      }
      firstsUnderWay--
      busyObjects.delete(job.object_id)
    },
  }
}
