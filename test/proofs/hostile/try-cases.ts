import * as fc from 'fast-check'
import { keepSeed } from '../regression-seeds.ts'
import { hostileRequests, type HostileRequest, type ListenerName } from './requests.ts'
import { openTarget, type Outcome, type Target } from './target.ts'

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

/** What others can reach, at an address of loopback, so that nobody else meets it. */
const BEYOND = { address: '127.0.0.1', allowedHosts: ['hookbench.test'] }
/** One case of so many goes to what others can reach. */
const BEYOND_EVERY = 4

/** Sends the requests with these numbers to each listener. Keeps the numbers that fail. */
export async function tryCases(numbers: readonly number[]): Promise<Tried> {
  const onLoopback = await openTarget()
  const beyond = await openTarget(BEYOND)
  const failures: string[] = []
  let [refused, longest] = [0, 0]
  try {
    for (const number of numbers) {
      const target = number % BEYOND_EVERY === 0 ? beyond : onLoopback
      for (const listener of LISTENERS) {
        const outcome = await sendCase(target, listener, hostileRequest(listener, number))
        if (outcome.status !== null && outcome.status >= 400) refused++
        longest = Math.max(longest, outcome.longestTurnMs)
        const harm = findHarm(outcome)
        if (harm !== undefined) {
          keepSeed('hostile', number)
          failures.push(`npm run proof -- hostile --from ${number} --cases 1: ${listener}: ${harm}`)
        }
        if (outcome.hasChanged) await target.restore()
      }
    }
  } finally {
    await onLoopback.close()
    await beyond.close()
  }
  return { refused, longestTurnMs: longest, failures }
}

/** Sends a request again that seems to block the sandbox: the garbage collector can take as long, but not twice. */
async function sendCase(target: Target, listener: ListenerName, request: HostileRequest): Promise<Outcome> {
  const first = await target.send(listener, request)
  const isSlow = first.longestTurnMs > LONGEST_TURN_MS
  if (!isSlow || findHarm({ ...first, longestTurnMs: 0 }) !== undefined) return first
  if (first.hasChanged) await target.restore()
  return target.send(listener, request)
}

/** What must never come of a request, whatever it is. */
function findHarm({ status, hasChanged, longestTurnMs, errors }: Outcome): string | undefined {
  if (errors.length > 0) return `the sandbox failed: ${errors.join('; ')}`
  if (status !== null && status >= 500) return `it answered ${status}`
  if (hasChanged && (status === null || status >= 400))
    return `it answered ${status ?? 'nothing'}, and the store changed`
  return longestTurnMs > LONGEST_TURN_MS ? `everybody waited ${Math.round(longestTurnMs)} ms` : undefined
}
