import type { RehearsalOutcome, RehearsedOrder } from '../run/rehearse.ts'
import { describeDeliveries, toNumbered } from '../toolkit/rehearsal-order.ts'
import { capitalize, LABEL, labelRow, type Screen } from './columns.ts'
import { toTimeline } from './events.ts'
import { eventLine } from './exchange-text.ts'
import { withoutRepeatedReads } from './excerpt.ts'
import { rehearsalCommand, type RehearsalRepeat } from './repeat.ts'
import { rehearsalHeadline } from './rehearsal-result.ts'
import { explainVerdict } from './report.ts'
import { toPrintable } from '../../sandbox/internal.ts'

export interface RehearsalTextOptions {
  readonly repeat: RehearsalRepeat
  readonly screen: Screen
}

/** Writes the events, the verdict and the command to repeat. The shortest failing order follows. */
export function rehearsalText(outcome: RehearsalOutcome, { repeat, screen }: RehearsalTextOptions): string {
  const { whole, shortest, unsearched, plan } = outcome
  const { branch } = plan.rehearsal
  const row = (label: string, text: string) => labelRow(label, text, screen)
  const commandOf = (order: RehearsedOrder) =>
    `  ${screen.paint('dim', 'Repeat'.padEnd(LABEL))}${screen.paint('cyan', toPrintable(rehearsalCommand(repeat, toNumbered(order.deliveries, branch))))}`
  return [
    screen.paint('bold', `${branch.kind} to ${branch.outcome}`),
    ...row('Order', describeDeliveries(whole.deliveries, branch)),
    '',
    ...traceLines(whole, screen),
    ...verdictLines(outcome, screen),
    commandOf(whole),
    ...(unsearched === null
      ? []
      : row('Shorter', `The search for a shorter order was cut short: ${unsearched}`)),
    ...(shortest
      ? [
          '',
          screen.paint('bold', 'The shortest order that fails in the same way'),
          ...row('Order', describeDeliveries(shortest.deliveries, branch)),
          '',
          ...traceLines(shortest, screen),
          ...row('Actual', explainVerdict(shortest.result)).map((line) => screen.paint('red', line)),
          commandOf(shortest),
        ]
      : []),
  ].join('\n')
}

function traceLines({ result }: RehearsedOrder, screen: Screen): readonly string[] {
  const lines = toTimeline(withoutRepeatedReads(result.events)).map((entry) => eventLine(entry, screen))
  return lines.length === 0 ? [] : [...lines, '']
}

function verdictLines(outcome: RehearsalOutcome, screen: Screen): readonly string[] {
  const { whole, unreached } = outcome
  const { finding, check } = whole.result
  const headline = rehearsalHeadline(outcome)
  const { paint } = screen
  const row = (label: string, text: string) => labelRow(label, text, screen)
  if (unreached !== null)
    return [paint(['bold', 'red'], `? ${headline}`), ...row('Why', capitalize(unreached))]
  if (finding?.kind === 'passed') {
    const { unobserved } = finding
    return [
      paint(['bold', 'green'], `✓ ${headline}`),
      ...(unobserved === undefined ? [] : row('Open', capitalize(unobserved))),
    ]
  }
  if (finding?.kind === 'failed') {
    return [
      paint(['bold', 'red'], `✗ ${headline}`),
      ...row('Expected', finding.expected),
      ...row('Actual', explainVerdict(whole.result)).map((line) => paint('red', line)),
      ...row('Meaning', check.meaning),
      ...row('Fix', check.remedy).map((line) => paint('green', line)),
    ]
  }
  return [paint(['bold', 'yellow'], `? ${headline}`), ...row('Why', explainVerdict(whole.result))]
}
