import { unansweredExchange, type Exchange } from '../finding.ts'
import { isAccepted, isNotSent, isTimedOut, NOT_SENT } from '../toolkit/expectations.ts'

/**
 * The number of timeouts after which the run stops sending. Applies if the receiver accepted no notification, or no notification
 * of one type.
 */
const ENOUGH = 8
/**
 * The number of timeouts after which the run stops sending even if the receiver accepted some notifications. The share of
 * timeouts must also reach `MIN_SHARE`.
 */
const ENOUGH_AMONG_ANSWERED = 16
const MIN_SHARE = 0.25

export function createSilence() {
  const usual: Exchange[] = []
  const timedOut: Exchange[] = []
  const accepted = new Set<string>()
  const typeOf = ({ about }: Exchange) => about?.type ?? ''
  const isSilentOn = (type: string) =>
    !accepted.has(type) && timedOut.filter((each) => typeOf(each) === type).length >= ENOUGH
  return {
    note(exchange: Exchange) {
      if (!exchange.about) return
      if (isAccepted(exchange)) accepted.add(typeOf(exchange))
      if (!exchange.isUsual || isNotSent(exchange)) return
      usual.push(exchange)
      if (isTimedOut(exchange)) timedOut.push(exchange)
    },
    first: () => timedOut.slice(0, 1),
    reason(type?: string) {
      if (accepted.size === 0 && timedOut.length >= ENOUGH)
        return `Your receiver answered none of ${ENOUGH} ordinary notifications in time, so the run sent nothing more`
      // Counts only types with an accepted notification, because the run stops sending other types earlier.
      const isAnswered = (each: Exchange) => accepted.has(typeOf(each))
      const late = timedOut.filter(isAnswered).length
      const answered = late < ENOUGH_AMONG_ANSWERED ? [] : usual.filter(isAnswered)
      if (late >= Math.max(ENOUGH_AMONG_ANSWERED, MIN_SHARE * answered.length))
        return `Your receiver did not answer ${late} of ${answered.length} ordinary notifications in time, so the run sent nothing more`
      return type !== undefined && isSilentOn(type)
        ? `Your receiver answered none of ${ENOUGH} ordinary notifications of ${type} in time, so the run sent no more of this type`
        : undefined
    },
  }
}

/** The detection of a receiver that no longer responds in time. The run then stops sending requests that would only time out. */
export type Silence = ReturnType<typeof createSilence>

/** Returns an exchange for a request that the run did not send, because the receiver no longer responds. */
export function notSent(
  { label, method, url, body }: { label: string; method?: string; url: string; body?: string | Uint8Array },
  message: string,
): Exchange {
  const request = { url, ...(method !== undefined && { method }), ...(typeof body === 'string' && { body }) }
  return unansweredExchange(label, request, { reason: NOT_SENT, message })
}
