import type { AppliedFault, ExchangeDetail } from '../../spec/generated/control-types.ts'
import { toPrintable } from '../engine/core/printable.ts'
import { describeFlags } from '../engine/delivery/exchange-flags.ts'
import { fitLine } from './terminal.ts'
import { duration } from '../engine/core/short-text.ts'

const SHORT = 200

/** The start of a body, in one line. */
export function shorten(body: string): string {
  return toPrintable(body.length > SHORT ? `${body.slice(0, SHORT)}…` : body)
}

/** The kinds of faults that applied; empty if none did. */
export function faultKindNames(faults: readonly AppliedFault[]): string {
  return faults.map(({ kind }) => kind).join(', ')
}

/** What of it came back beside an attempt: a fault may have lost the answer to the attempt itself. */
export function besideLines(other: ExchangeDetail, faults: readonly AppliedFault[]): string[] {
  const isLost = other.status !== null && faults.some(({ kind }) => kind === 'lost-answer')
  if (!isLost) return exchangeLines('   beside it:', other)
  return exchangeLines('   answered', other, ', and the answer was lost')
}

/** What came back, how fast, and in a second line the start of its body, if it has one. */
export function exchangeLines(
  label: string,
  { status, reason, message, flags, timings, response }: ExchangeDetail,
  end = '',
): string[] {
  const odd = flags.length === 0 ? '' : ` (${describeFlags(flags)})`
  const what = `${status ?? `${reason ?? 'no answer'}: ${message}`}${odd}`
  const line = `  ${label} ${toPrintable(what)}, ${duration(timings.total_ms)}`
  const body = response?.body ?? ''
  const fitted = fitLine(line + end, '     ')
  return body === '' ? [fitted] : [fitted, `     ${shorten(body)}`]
}
