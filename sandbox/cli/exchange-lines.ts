import type { AppliedFault, Attempt, ExchangeDetail } from '../../spec/generated/control-types.ts'
import { duration, toPrintable } from '../engine/core/short-text.ts'
import { describeFlags } from '../engine/delivery/exchange-flags.ts'
import { fitLine, style } from './terminal.ts'

const SHORT = 200

function shorten(body: string): string {
  return toPrintable(body.length > SHORT ? `${body.slice(0, SHORT)}…` : body)
}

export function faultKindNames(faults: readonly AppliedFault[]): string {
  return faults.map(({ kind }) => kind).join(', ')
}

export function attemptLines(attempt: Attempt): string[] {
  const { number, started_at, message, timings, response, flags, manual, faults, others } = attempt
  const notes = [
    ...(flags.length === 0 ? [] : [describeFlags(flags)]),
    ...(manual ? ['by hand'] : []),
    ...(faults.length === 0 ? [] : [`${faults.length === 1 ? 'fault' : 'faults'} ${faultKindNames(faults)}`]),
  ]
  const noted = notes.length === 0 ? '' : style('yellow', ` (${toPrintable(notes.join('; '))})`)
  const took = timings.total_ms === null ? '' : `, ${duration(timings.total_ms)}`
  const line = `  ${number}. ${started_at}  ${toPrintable(message)}${took}${noted}`
  const body = response === null || response.body === '' ? [] : [`     ${shorten(response.body)}`]
  return [
    fitLine(line, '     '),
    ...body,
    ...others.flatMap((other, index) => besideLines(other, index === 0 ? faults : [])),
  ]
}

function besideLines(other: ExchangeDetail, faults: readonly AppliedFault[]): string[] {
  const isLost = other.status !== null && faults.some(({ kind }) => kind === 'lost-answer')
  if (!isLost) return exchangeLines('   beside it:', other)
  return exchangeLines('   answered', other, ', and the answer was lost')
}

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
