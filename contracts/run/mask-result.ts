import type { RequestRecord } from '../../spec/generated/control-types.ts'
import { maskHeaders } from '../../sandbox/internal.ts'
import type { Evidence, Exchange, Finding } from '../finding.ts'
import type { CheckResult, RunEvent } from './run-result.ts'

type Mask = (text: string) => string

/** Masks the secrets in a result, for every report. */
export function maskResult(result: CheckResult, mask: Mask): CheckResult {
  // Evidence and events share exchanges.
  const masked = new Map<Exchange, Exchange>()
  const maskOnce = (exchange: Exchange): Exchange => {
    const one = masked.get(exchange) ?? maskExchange(exchange, mask)
    masked.set(exchange, one)
    return one
  }
  return {
    ...result,
    finding: result.finding && maskFinding(result.finding, mask, maskOnce),
    events: result.events.map((event) => maskEvent(event, mask, maskOnce)),
  }
}

type MaskExchange = (exchange: Exchange) => Exchange

function maskExchange({ request, response, ...exchange }: Exchange, mask: Mask): Exchange {
  return {
    ...exchange,
    label: mask(exchange.label),
    message: mask(exchange.message),
    request: {
      ...request,
      url: mask(request.url),
      headers: maskHeaders(request.headers, mask),
      body: mask(request.body),
    },
    response: response && {
      ...response,
      headers: maskHeaders(response.headers, mask),
      body: mask(response.body),
    },
  }
}

function maskFinding(finding: Finding, mask: Mask, maskOnce: MaskExchange): Finding {
  const maskEvidence = ({ exchanges, calls, ...evidence }: Evidence): Evidence => ({
    ...evidence,
    ...(exchanges && { exchanges: exchanges.map(maskOnce) }),
    ...(calls && { calls: calls.map((call) => maskCall(call, mask)) }),
  })
  switch (finding.kind) {
    case 'passed':
      return finding.unobserved === undefined ? finding : { ...finding, unobserved: mask(finding.unobserved) }
    case 'failed': {
      const { expected, actual, evidence } = finding
      return { ...finding, expected: mask(expected), actual: mask(actual), evidence: maskEvidence(evidence) }
    }
    case 'inconclusive':
      return { ...finding, why: mask(finding.why), evidence: maskEvidence(finding.evidence) }
    case 'not-observable':
      return { ...finding, why: mask(finding.why) }
    default:
      return finding satisfies never
  }
}

function maskEvent(event: RunEvent, mask: Mask, maskOnce: MaskExchange): RunEvent {
  switch (event.kind) {
    case 'sent':
      return { ...event, exchange: maskOnce(event.exchange) }
    case 'called':
      return { ...event, request: maskCall(event.request, mask) }
    case 'world':
      return { ...event, text: mask(event.text) }
    case 'effects':
      return event
    default:
      return event satisfies never
  }
}

function maskCall(call: RequestRecord, mask: Mask): RequestRecord {
  const { path, user_agent } = call
  return { ...call, path: mask(path), user_agent: user_agent === null ? null : mask(user_agent) }
}
