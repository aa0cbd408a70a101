import * as fc from 'fast-check'
import { hostileRequests, type HostileRequest, type ListenerName } from './requests.ts'
import { openTarget, type Outcome } from './target.ts'

const LISTENERS: readonly ListenerName[] = ['service', 'bench']
const LONGEST_TURN_MS = 100

export interface Tried {
  /** How many requests were refused, on both listeners. */
  readonly refused: number
  readonly longestTurnMs: number
  /** One line for each case that did harm, with what repeats it. */
  readonly failures: readonly string[]
}

/** Case number so many of a listener: the same each time. */
export function hostileRequest(listener: ListenerName, number: number): HostileRequest {
  const [request] = fc.sample(hostileRequests(listener), { seed: number, numRuns: 1 })
  if (request) return request
  throw new Error('Nothing was drawn')
}

/** Sends so many requests to each listener. */
export async function tryCases(from: number, count: number): Promise<Tried> {
  const target = await openTarget()
  const failures: string[] = []
  let [refused, longest] = [0, 0]
  try {
    for (let number = from; number < from + count; number++) {
      for (const listener of LISTENERS) {
        const outcome = await target.send(listener, hostileRequest(listener, number))
        if (outcome.status !== null && outcome.status >= 400) refused++
        longest = Math.max(longest, outcome.longestTurnMs)
        const harm = findHarm(outcome)
        if (harm !== undefined)
          failures.push(`npm run hostile -- --from ${number} --cases 1: ${listener}: ${harm}`)
        if (outcome.hasChanged) await target.restore()
      }
    }
  } finally {
    await target.close()
  }
  return { refused, longestTurnMs: longest, failures }
}

/** What must never come of a request, whatever it is. */
function findHarm({ status, hasChanged, longestTurnMs, errors }: Outcome): string | undefined {
  if (errors.length > 0) return `the sandbox failed: ${errors.join('; ')}`
  if (status !== null && status >= 500) return `it answered ${status}`
  if (hasChanged && (status === null || status >= 400))
    return `it answered ${status ?? 'nothing'}, and the store changed`
  return longestTurnMs > LONGEST_TURN_MS ? `everybody waited ${Math.round(longestTurnMs)} ms` : undefined
}
