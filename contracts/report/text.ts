import { styleText } from 'node:util'
import { printable } from '../../sandbox/index.ts'
import type { CheckExchange } from '../check.ts'
import type { CheckResult, RunResult } from '../run-checks.ts'

const MARK = {
  passed: styleText('green', '✓'),
  failed: styleText('red', '✗'),
  inconclusive: styleText('yellow', '?'),
}

/** One line for a check that has ended. */
export function resultLine({ check, finding }: CheckResult): string {
  const severity = check.severity.toUpperCase().padEnd(6)
  return `  ${MARK[finding.kind]} ${check.id.padEnd(34)} ${severity} ${check.source.join(', ')}`
}

/**
 * What a person reads at the end: each failure with its meaning, the exchange and the way to repeat it, then the count.
 * `command` is what was called, without the names of checks.
 */
export function summaryText({ results, summary }: RunResult, command: string): string {
  const details = results.flatMap((result) => detail(result, command))
  const count = `${summary.passed} passed, ${summary.failed} failed, ${summary.inconclusive} inconclusive`
  const seen = "Observed: the receiver's answers only. What it does with a notification was not observed."
  return [...details, '', styleText('bold', count), styleText('dim', seen)].join('\n')
}

function detail({ check, finding }: CheckResult, command: string): string[] {
  if (finding.kind === 'passed') return []
  const head = ['', `${MARK[finding.kind]} ${styleText('bold', check.id)}: ${check.requirement}`]
  const tail = [
    `  document  ${check.source.join(', ')}${check.readings ? `; readings ${check.readings.join(', ')}` : ''}`,
    `  repeat    ${command} ${check.id}`,
  ]
  if (finding.kind === 'inconclusive') return [...head, `  why       ${printable(finding.why)}`, ...tail]
  return [
    ...head,
    `  expected  ${finding.expected}`,
    `  actual    ${printable(finding.actual)}`,
    `  meaning   ${finding.meaning}`,
    ...finding.exchanges.slice(0, 1).flatMap(exchangeLines),
    ...tail,
  ]
}

function exchangeLines({ label, sent, outcome }: CheckExchange): string[] {
  const answer =
    outcome.kind === 'answered'
      ? `${outcome.status} ${printable(Buffer.from(outcome.body).toString('utf8'))}`
      : printable(outcome.message)
  return [`  sent      ${label}: ${shortened(sent)}`, `  answered  ${shortened(answer)}`]
}

function shortened(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
