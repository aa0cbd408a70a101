import { createQueue, type Queue } from '../core/queue.ts'
import type { JobRecord } from '../state/job.ts'

/** How many first attempts one registration may have under way at once, and as many retries. */
const CONCURRENCY = 64

/**
 * The jobs of one registration that are due. First attempts start in trigger order, and those of one object one after
 * the other, so that a healthy receiver sees an object's states in order; an object waits only for itself. Retries have places
 * of their own, so that they never hold up a later job.
 */
export interface RegistrationQueue {
  add(job: JobRecord): void
  /** The next job that may start now; it is under way until `end`. */
  take(): JobRecord | undefined
  /** The attempt has ended; one that is to be made again keeps its object waiting until it is added or released. */
  end(job: JobRecord, how: EndedAttempt): void
  /** A job that was to be attempted again is not: its object goes on. */
  release(job: JobRecord): void
  /** Whether the job waits for one about the same object that is to be attempted again later. */
  isStalled(job: JobRecord): boolean
}

interface EndedAttempt {
  readonly isRetry: boolean
  readonly isAgain: boolean
}

export interface RegistrationQueueOptions {
  readonly concurrency?: number | undefined
  /** Called when jobs begin to wait for one that is to be attempted again later. */
  readonly onStall: () => void
}

export function createRegistrationQueue(options: RegistrationQueueOptions): RegistrationQueue {
  const { concurrency = CONCURRENCY, onStall } = options
  const firsts = createQueue<JobRecord>()
  const retries = createQueue<JobRecord>()
  const objects = createObjectQueues()
  let firstsUnderWay = 0
  let retriesUnderWay = 0

  function takeFirst(): JobRecord | undefined {
    if (firstsUnderWay >= concurrency) return undefined
    // What waited for its object comes first: it was triggered before what no place was free for.
    let job = objects.takeReady()
    while (!job && firsts.length > 0) {
      const next = firsts.shift()
      if (next && objects.claim(next)) job = next
    }
    if (job) firstsUnderWay++
    return job
  }

  function takeRetry(): JobRecord | undefined {
    const job = retriesUnderWay < concurrency ? retries.shift() : undefined
    if (job) retriesUnderWay++
    return job
  }

  return {
    add(job) {
      if (job.first_ended_at !== null) retries.push(job)
      else if (!objects.readyAgain(job)) firsts.push(job)
    },
    take: () => takeFirst() ?? takeRetry(),
    end(job, { isRetry, isAgain }) {
      if (isRetry) {
        retriesUnderWay--
        return
      }
      firstsUnderWay--
      if (!isAgain) return objects.release(job.object_id)
      objects.keepFor(job)
      onStall()
    },
    release(job) {
      if (objects.isKeptFor(job)) objects.release(job.object_id)
    },
    isStalled: (job) => job.first_ended_at === null && objects.isKept(job.object_id),
  }
}

/** The objects whose first attempt is under way, and what waits for each. */
interface ObjectQueues {
  /** Whether the object is free for this job, which is under way then; otherwise the job waits for it. */
  claim(job: JobRecord): boolean
  /** The next job whose object has become free; that is under way again. */
  takeReady(): JobRecord | undefined
  /** Lets the object wait for this job, which is to be attempted again later. */
  keepFor(job: JobRecord): void
  isKeptFor(job: JobRecord): boolean
  /** Whether the object waits for a job that is to be attempted again later. */
  isKept(objectId: string): boolean
  /** Whether the object has waited for this job, which is ready then. */
  readyAgain(job: JobRecord): boolean
  /** The next job about the object is ready, if one waits. */
  release(objectId: string): void
}

function createObjectQueues(): ObjectQueues {
  // Few objects have anything waiting: the others cost no queue.
  const waitingByObject = new Map<string, Queue<JobRecord> | undefined>()
  const ready = createQueue<JobRecord>()
  const keptJobByObject = new Map<string, string>()
  const isKeptFor = ({ id, object_id }: JobRecord) => keptJobByObject.get(object_id) === id

  return {
    claim(job) {
      if (!waitingByObject.has(job.object_id)) {
        waitingByObject.set(job.object_id, undefined)
        return true
      }
      const waiting = waitingByObject.get(job.object_id) ?? createQueue<JobRecord>()
      waitingByObject.set(job.object_id, waiting)
      waiting.push(job)
      return false
    },
    takeReady: () => ready.shift(),
    keepFor: ({ id, object_id }) => void keptJobByObject.set(object_id, id),
    isKeptFor,
    isKept: (objectId) => keptJobByObject.has(objectId),
    readyAgain(job) {
      if (!isKeptFor(job)) return false
      keptJobByObject.delete(job.object_id)
      ready.push(job)
      return true
    },
    release(objectId) {
      keptJobByObject.delete(objectId)
      const next = waitingByObject.get(objectId)?.shift()
      if (next) ready.push(next)
      else waitingByObject.delete(objectId)
    },
  }
}
