import { createQueue, type Queue } from '../core/queue.ts'
import type { JobRecord } from '../state/job.ts'

/**
 * First attempts about one object start one after the other, in trigger order, and so do those of one payment, whatever they are
 * about: a healthy receiver sees the states of an object and the steps of a payment in their order. Source: §6.2
 */
export interface FirstAttemptOrder {
  /** Takes the job's place behind all that came before; whether it may start at once. */
  add(job: JobRecord): boolean
  /** Whether another job waits for this one to end. */
  isAwaited(job: JobRecord): boolean
  /** Gives up the job's place; gives the jobs that may start now. */
  release(job: JobRecord): readonly JobRecord[]
  /** Lets others wait for this job, which is to be attempted again later. */
  keep(job: JobRecord): void
  /** Whether others have waited for this job, which may start then. */
  unkeep(job: JobRecord): boolean
  /** Whether the job waits for one that is to be attempted again later. */
  isStalled(job: JobRecord): boolean
}

/** The jobs about one object, or of one payment. */
interface Line {
  first: JobRecord
  /** Few lines have any: the others cost no queue. */
  waiting?: Queue<JobRecord>
}

/** `findPayment` gives the id of the payment that a job is a step of; undefined if it is of none. */
export function createFirstAttemptOrder(
  findPayment: (job: JobRecord) => string | undefined,
): FirstAttemptOrder {
  const lineByKey = new Map<string, Line>()
  /** A payment may come to know of an object only later: a job stays in the lines that it was added to. */
  const paymentKeyByJob = new Map<string, string>()
  const kept = new Set<string>()

  function linesOf(job: JobRecord): readonly (readonly [key: string, line: Line])[] {
    const keys = [objectKey(job), paymentKeyByJob.get(job.id)]
    return keys.flatMap((key) => {
      const line = key === undefined ? undefined : lineByKey.get(key)
      return key === undefined || line === undefined ? [] : [[key, line] as const]
    })
  }

  function enter(key: string, job: JobRecord): void {
    const line = lineByKey.get(key)
    if (!line) return void lineByKey.set(key, { first: job })
    line.waiting ??= createQueue<JobRecord>()
    line.waiting.push(job)
  }

  const mayStart = (job: JobRecord) => linesOf(job).every(([, { first }]) => first.id === job.id)

  const isStalled = (job: JobRecord): boolean =>
    linesOf(job).some(([, { first }]) => first.id !== job.id && (kept.has(first.id) || isStalled(first)))

  return {
    add(job) {
      enter(objectKey(job), job)
      const payment = findPayment(job)
      if (payment !== undefined) {
        const key = `${job.generation} of payment ${payment}`
        paymentKeyByJob.set(job.id, key)
        enter(key, job)
      }
      return mayStart(job)
    },
    isAwaited: (job) => linesOf(job).some(([, { waiting }]) => (waiting?.length ?? 0) > 0),
    release(job) {
      kept.delete(job.id)
      const next = linesOf(job).flatMap(([key, line]) => {
        const following = line.waiting?.shift()
        if (following) line.first = following
        else lineByKey.delete(key)
        return following ?? []
      })
      paymentKeyByJob.delete(job.id)
      return [...new Set(next)].filter(mayStart)
    },
    keep: ({ id }) => void kept.add(id),
    unkeep: ({ id }) => kept.delete(id),
    isStalled,
  }
}

const objectKey = ({ registration_id, object_id }: JobRecord) => `${registration_id} ${object_id}`
