import type { Exchange } from '../finding.ts'
import { isAccepted, isTimedOut } from '../toolkit/expectations.ts'

/** A receiver that answers nothing in time: every further request would only be waited for again. */
export interface Silence {
  note(exchange: Exchange): void
  /** Why nothing more is sent; undefined while there is something to learn. */
  reason(): string | undefined
}

/** So many usual notifications are waited for in vain. */
const ENOUGH = 8

export function createSilence(): Silence {
  let [timedOut, accepted] = [0, 0]
  return {
    note(exchange) {
      if (exchange.isUsual && isTimedOut(exchange)) timedOut++
      if (isAccepted(exchange) && exchange.about) accepted++
    },
    reason: () =>
      accepted === 0 && timedOut >= ENOUGH
        ? `Your receiver answered none of ${ENOUGH} usual notifications in time, so nothing more was sent`
        : undefined,
  }
}

const NOT_SENT = 'not_sent'

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

export const isNotSent = ({ reason }: Exchange) => reason === NOT_SENT
