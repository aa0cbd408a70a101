import type {
  RehearsalNotification,
  RehearsalOrderResult,
  RehearsalPreview,
  RehearsalResult,
  TraceEntry,
} from '../../spec/generated/control-types.ts'
import { isNotified, numberNotifications } from '../../spec/payments.ts'
import type { RehearsalOutcome, RehearsedOrder } from '../run/rehearse.ts'
import { receiverUrls } from '../run/receiver-urls.ts'
import type { RunEvent } from '../run/run-result.ts'
import type { Branch } from '../toolkit/branches.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { describeDeliveries, type RehearsalPlan } from '../toolkit/rehearsal-plan.ts'
import { describeBlindness } from '../toolkit/rehearsal-verdict.ts'
import { readingValues } from '../../spec/readings.ts'
import { toTimeline, viewEvent } from './events.ts'
import { withoutRepeatedReads } from './excerpt.ts'
import { rehearsalCommand, rehearsalTest, type RehearsalRepeat } from './repeat.ts'
import { explainVerdict } from './report.ts'
import { LABEL, labelRow, type Screen } from './columns.ts'
import { formatEventLine } from './check-text.ts'
import { startSentence, toPrintable } from '../../sandbox/internal.ts'

export interface RehearsalReportOptions {
  readonly options: Pick<RunOptions, 'readings' | 'receiver' | 'effects' | 'seed'>
  readonly repeat: RehearsalRepeat
}

export function toRehearsalResult(
  { plan, whole, shortest, unsearched, unreached, conclusion }: RehearsalOutcome,
  { options, repeat }: RehearsalReportOptions,
): RehearsalResult {
  const { branch } = plan.rehearsal
  const toOrder = (order: RehearsedOrder) => toOrderResult(order, { repeat, unreached })
  return {
    kind: branch.kind,
    outcome: branch.outcome,
    conclusion,
    ...toOrder(whole),
    notifications: listNotifications(branch, options),
    shortest: shortest ? toOrder(shortest) : null,
    unsearched,
    seed: options.seed,
  }
}

export function toRehearsalPreview(
  { rehearsal: { branch, deliveries }, obstacle }: RehearsalPlan,
  { options, repeat }: RehearsalReportOptions,
): RehearsalPreview {
  return {
    kind: branch.kind,
    outcome: branch.outcome,
    notifications: listNotifications(branch, options),
    deliveries: [...deliveries],
    command: rehearsalCommand(repeat, deliveries),
    test: rehearsalTest(repeat, deliveries),
    obstacle: describeBlindness(obstacle, { observable: options.effects !== undefined }) ?? null,
  }
}

function listNotifications(
  { kind, outcome, parts }: Branch,
  options: RehearsalReportOptions['options'],
): RehearsalNotification[] {
  const readings = readingValues(options.readings)
  const callbacks = receiverUrls(options.receiver).types('callbacks')
  return numberNotifications(kind, outcome).map(({ number, notification }) => ({
    number,
    object_type: notification.object,
    state: notification.state,
    notified: isNotified(notification, readings) && parts.some((part) => part.number === number),
    callback: callbacks.includes(notification.object),
  }))
}

function toOrderResult(
  { deliveries, result }: RehearsedOrder,
  { repeat, unreached }: Pick<RehearsalOutcome, 'unreached'> & { readonly repeat: RehearsalRepeat },
): RehearsalOrderResult {
  const { verdict, finding, events, check } = result
  const why = unreached ?? explainVerdict(result)
  return {
    deliveries,
    verdict:
      verdict === 'passed' || verdict === 'failed' || verdict === 'inconclusive' ? verdict : 'not_observable',
    expected: finding?.kind === 'failed' ? finding.expected : null,
    actual: verdict === 'passed' ? null : why,
    remedy: finding?.kind === 'failed' ? check.remedy : null,
    unobserved: finding?.kind === 'passed' ? (finding.unobserved ?? null) : null,
    trace: toTrace(events),
    command: rehearsalCommand(repeat, deliveries),
    test: rehearsalTest(repeat, deliveries),
  }
}

function toTrace(events: readonly RunEvent[]): TraceEntry[] {
  return toTimeline(withoutRepeatedReads(events)).flatMap(({ event, part }) => {
    if (part === 'answer') return []
    const { text, about, data } = viewEvent(event)
    return [{ text, object_type: about[0]?.type ?? null, object_id: about[0]?.id ?? null, ...data }]
  })
}

export function rehearsalHeadline(outcome: Pick<RehearsalOutcome, 'whole' | 'unreached'>): string {
  const { verdict } = outcome.whole.result
  if (outcome.unreached !== null) return 'No verdict: your receiver could not be reached'
  if (verdict === 'passed') return 'Your receiver passed'
  if (verdict === 'failed') return 'Your receiver failed'
  return verdict === 'inconclusive'
    ? 'No verdict'
    : 'No verdict, because the effects of your platform were not observed'
}

export function rehearsalText(
  outcome: RehearsalOutcome,
  { repeat, screen }: { readonly repeat: RehearsalRepeat; readonly screen: Screen },
): string {
  const { whole, shortest, unsearched, plan } = outcome
  const { branch } = plan.rehearsal
  const row = (label: string, text: string) => labelRow(label, text, screen)
  const orderLines = (order: RehearsedOrder, verdict: readonly string[]) => [
    ...row('Order', describeDeliveries(order.deliveries, branch)),
    '',
    ...traceLines(order, screen),
    ...verdict,
    `  ${screen.paint('dim', 'Repeat'.padEnd(LABEL))}${screen.paint('cyan', toPrintable(rehearsalCommand(repeat, order.deliveries)))}`,
  ]
  return [
    screen.paint('bold', `${branch.kind} with outcome ${branch.outcome}`),
    ...orderLines(whole, verdictLines(outcome, screen)),
    ...(unsearched === null
      ? []
      : row('Shorter', `The search for a shorter order stopped early: ${unsearched}`)),
    ...(shortest
      ? [
          '',
          screen.paint('bold', 'The shortest order that fails in the same way'),
          ...orderLines(
            shortest,
            row('Actual', explainVerdict(shortest.result)).map((line) => screen.paint('red', line)),
          ),
        ]
      : []),
  ].join('\n')
}

function traceLines({ result }: RehearsedOrder, screen: Screen): readonly string[] {
  const lines = toTimeline(withoutRepeatedReads(result.events)).map((entry) => formatEventLine(entry, screen))
  return lines.length === 0 ? [] : [...lines, '']
}

function verdictLines(outcome: RehearsalOutcome, screen: Screen): readonly string[] {
  const { whole, unreached } = outcome
  const { finding, check } = whole.result
  const headline = rehearsalHeadline(outcome)
  const { paint } = screen
  const row = (label: string, text: string) => labelRow(label, text, screen)
  if (unreached !== null)
    return [paint(['bold', 'red'], `? ${headline}`), ...row('Why', startSentence(unreached))]
  if (finding?.kind === 'passed') {
    const { unobserved } = finding
    return [
      paint(['bold', 'green'], `✓ ${headline}`),
      ...(unobserved === undefined ? [] : row('Open', startSentence(unobserved))),
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
