import { isSuccess } from '../../../spec/delivery.ts'
import type { Exchange, HttpMessage, Outcome } from '../core/ports.ts'
import type { AttemptHead, AttemptReason, ExchangeRecord, OtherExchange } from '../state/entries.ts'

/** Returns the stored request. `jobBody` is the body of the job, or null if the message has the same body. */
export function toSentRequest({ headers, body }: HttpMessage, jobBody: string | null): ExchangeRecord {
  const sent = jobBody === null ? null : Buffer.from(body).toString()
  return {
    request_headers: Object.entries(headers),
    request_body: sent === jobBody ? null : sent,
    response: null,
  }
}

export function toExchangeRecord(
  request: ExchangeRecord,
  { outcome, others = [] }: Exchange,
): ExchangeRecord {
  return {
    ...request,
    response: toResponseRecord(outcome),
    ...(others.length > 0 && { others: others.map(toOtherExchange) }),
  }
}

export function toOtherExchange({ outcome, flags, timings }: Exchange): OtherExchange {
  const { status, message } = toResult(outcome)
  const reason = outcome.kind === 'unanswered' ? outcome.reason : null
  return { status, reason, message, flags, timings, response: toResponseRecord(outcome) }
}

export function toResult(outcome: Outcome): Pick<AttemptHead, 'status' | 'reason' | 'message'> {
  if (outcome.kind === 'unanswered') return { status: null, reason: outcome.reason, message: outcome.message }
  const { status } = outcome
  if (isSuccess(status)) return { status, reason: null, message: `Answered ${status}` }
  const reason: AttemptReason = `http_${status}`
  return { status, reason, message: `Answered ${status}, but only 200 to 299 is a success` }
}

function toResponseRecord(outcome: Outcome): ExchangeRecord['response'] {
  return outcome.kind === 'answered'
    ? { headers: outcome.headers, body: Buffer.from(outcome.body).toString('base64') }
    : null
}
