import { createQueue, type Queue } from '../core/queue.ts'
import type { JobRecord } from '../state/job.ts'

/** How many first attempts of one registration may be sent at once, and as many retries. */
const CONCURRENCY = 64

/**
 * The jobs of one registration that are due. First attempts start in trigger order, and those of one object one after
 * the other, so that a healthy receiver sees an object's states in order; an object waits only for itself. Retries have places
 * of their own, so that they never hold up a later job.
 */
export interface RegistrationQueue {
  add(job: JobRecord): void
  /** The next job that may start now; it is under way until its `end`. */
  take(): StartedJob | undefined
  /** A job that was to be attempted again is not: its object goes on. */
  release(job: JobRecord): void
  /** Whether the job waits for one about the same object that is to be attempted again later. */
  isStalled(job: JobRecord): boolean
}

/** A job with an attempt under way. */
export interface StartedJob {
  readonly job: JobRecord
  /**
   * The attempt was sent: its place is another's, unless one about its object waits, which comes next when what came of this one is on
   * record. That goes there before the beginning of the other, so that no more are without a record than there are places.
   */
  sent(): void
  /** The attempt has ended; one that is to be made again keeps its object waiting until it is added or released. */
  end(isAgain: boolean): void
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
  const firstPlaces = createPlaces(concurrency)
  const retryPlaces = createPlaces(concurrency)

  function nextFirst(): JobRecord | undefined {
    // What waited for its object comes first: it was triggered before what no place was free for.
    let job = objects.takeReady()
    while (!job && firsts.length > 0) {
      const next = firsts.shift()
      if (next && objects.claim(next)) job = next
    }
    return job
  }

  function endFirst(job: JobRecord, isAgain: boolean): void {
    if (!isAgain) return objects.release(job.object_id)
    objects.keepFor(job)
    onStall()
  }

  return {
    add(job) {
      // Whatever is on record of it by now: a log that failed may have kept the end of its first attempt all the same.
      if (objects.readyAgain(job)) return
      if (job.first_ended_at === null) firsts.push(job)
      else retries.push(job)
    },
    take: () =>
      startNext(firstPlaces, { next: nextFirst, hasFollower: objects.isAwaited, onEnd: endFirst }) ??
      // An object waits for no retry.
      startNext(retryPlaces, { next: () => retries.shift(), hasFollower: () => false, onEnd: () => {} }),
    release(job) {
      if (objects.isKeptFor(job)) objects.release(job.object_id)
    },
    isStalled: (job) => job.first_ended_at === null && objects.isKept(job.object_id),
  }
}

interface Starting {
  readonly next: () => JobRecord | undefined
  readonly hasFollower: (job: JobRecord) => boolean
  readonly onEnd: (job: JobRecord, isAgain: boolean) => void
}

/** Undefined if no place is free, or nothing is to start. */
function startNext(places: Places, { next, hasFollower, onEnd }: Starting): StartedJob | undefined {
  const job = places.isFree ? next() : undefined
  if (!job) return undefined
  const leave = places.take()
  return {
    job,
    sent: () => void (hasFollower(job) || leave()),
    end(isAgain) {
      leave()
      onEnd(job, isAgain)
    },
  }
}

interface Places {
  readonly isFree: boolean
  /** Gives what frees the place again, once. */
  take(): () => void
}

function createPlaces(most: number): Places {
  let taken = 0
  return {
    get isFree() {
      return taken < most
    },
    take() {
      let isTaken = true
      taken++
      return () => {
        if (isTaken) taken--
        isTaken = false
      }
    },
  }
}

/** The objects whose first attempt is under way, and what waits for each. */
interface ObjectQueues {
  /** Whether the object is free for this job, which is under way then; otherwise the job waits for it. */
  claim(job: JobRecord): boolean
  /** Whether something waits for the first attempt of this job to end. */
  isAwaited(job: JobRecord): boolean
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
    isAwaited: ({ object_id }) => (waitingByObject.get(object_id)?.length ?? 0) > 0,
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
