import type { Exchange } from '../finding.ts'
import { isAccepted, isNotSent, isTimedOut, NOT_SENT } from '../toolkit/expectations.ts'

/** A receiver that answers too late: every further request would only be waited for again. */
export interface Silence {
  note(exchange: Exchange): void
  /** Why nothing more is sent, or nothing about this type; undefined while there is something to learn. */
  reason(type?: string): string | undefined
  /** What was waited for in vain first. */
  first(): readonly Exchange[]
}

/** So many usual notifications are waited for in vain where none is answered. */
const ENOUGH = 8
/** The same where some are answered, and which share of all that is at least. */
const ENOUGH_AMONG_ANSWERED = 16
const LEAST_SHARE = 0.25

export function createSilence(): Silence {
  const usual: Exchange[] = []
  const accepted = new Set<string>()
  const typeOf = ({ about }: Exchange) => about?.type ?? ''
  const inVain = () => usual.filter(isTimedOut)
  const isSilentOn = (type: string) =>
    !accepted.has(type) && inVain().filter((each) => typeOf(each) === type).length >= ENOUGH
  return {
    note(exchange) {
      if (!exchange.about) return
      if (isAccepted(exchange)) accepted.add(typeOf(exchange))
      if (exchange.isUsual && !isNotSent(exchange)) usual.push(exchange)
    },
    first: () => inVain().slice(0, 1),
    reason(type) {
      if (accepted.size === 0 && inVain().length >= ENOUGH)
        return `Your receiver answered none of ${ENOUGH} usual notifications in time, so nothing more was sent`
      // Of a type that is never answered, nothing more is sent anyway.
      const answered = usual.filter((each) => accepted.has(typeOf(each)))
      const late = answered.filter(isTimedOut).length
      if (late >= Math.max(ENOUGH_AMONG_ANSWERED, LEAST_SHARE * answered.length))
        return `Your receiver did not answer ${late} of ${answered.length} usual notifications in time, so nothing more was sent`
      return type !== undefined && isSilentOn(type)
        ? `Your receiver answered none of ${ENOUGH} usual notifications of ${type} in time, so no more of them were sent`
        : undefined
    },
  }
}

/** In place of a request that is not sent any more. */
export function notSent(
  {
    label,
    method = 'POST',
    url,
    body = '',
  }: { label: string; method?: string; url: string; body?: string | Uint8Array },
  why: string,
): Exchange {
  return {
    label,
    request: { method, url, headers: [], body: typeof body === 'string' ? body : '' },
    status: null,
    reason: NOT_SENT,
    message: why,
    flags: [],
    tookMs: 0,
    response: null,
  }
}
