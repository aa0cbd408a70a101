import type * as Api from '../../../spec/generated/control-types.ts'
import { isSigned } from '../../../spec/signature-header.ts'
import type { ExchangeFlag } from '../../engine/core/ports.ts'
import { describeFlags } from '../../engine/delivery/exchange-flags.ts'
import { receiverRemedy } from '../../engine/delivery/receiver-remedy.ts'
import type { ExchangeRecord, OtherExchange } from '../../engine/state/entries.ts'

export function toExchangeDetail(
  exchange: OtherExchange,
  headers: ExchangeRecord['request_headers'],
): Api.ExchangeDetail {
  const { status, reason, message, flags, timings, response } = exchange
  return {
    status,
    reason,
    message,
    flags: [...flags],
    ...toAdvice({ status, flags }, headers),
    timings: toTimings(timings),
    response: toAttemptResponse(status, response),
  }
}

export function toAdvice(
  { status, flags }: { readonly status: number | null; readonly flags: readonly ExchangeFlag[] },
  headers: ExchangeRecord['request_headers'],
): Pick<Api.ExchangeDetail, 'remedy' | 'notes'> {
  const remedy = receiverRemedy(status, isSigned(headers))
  return {
    ...(remedy !== undefined && { remedy }),
    ...(flags.length > 0 && { notes: flags.map((flag) => describeFlags([flag])) }),
  }
}

export function toAttemptResponse(
  status: number | null,
  response: ExchangeRecord['response'],
): Api.AttemptResponse | null {
  if (response === null || status === null) return null
  return { status, headers: toHeaderPairs(response.headers), body: decodeText(response.body) }
}

export function toTimings<Total extends number | null>(
  timings: Omit<Api.StoredTimings, 'totalMs'> & { readonly totalMs: Total },
): Omit<Api.AttemptTimings, 'total_ms'> & { readonly total_ms: Total } {
  const { resolvedMs, reachedMs, connectedMs, answeredMs, totalMs } = timings
  return {
    ...(resolvedMs !== undefined && { resolved_ms: resolvedMs }),
    ...(reachedMs !== undefined && { reached_ms: reachedMs }),
    connected_ms: connectedMs,
    answered_ms: answeredMs,
    total_ms: totalMs,
  }
}

export function toHeaderPairs(headers: readonly (readonly [string, string])[]): [string, string][] {
  return headers.map(([name, value]) => [name, value])
}

export function decodeText(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}
