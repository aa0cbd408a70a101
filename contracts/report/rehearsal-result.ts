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
import { describeEffects } from '../toolkit/expectations.ts'
import { toNumbered } from '../toolkit/rehearsal-order.ts'
import type { RehearsalPlan } from '../toolkit/rehearsal-plan.ts'
import { describeBlindness } from '../toolkit/rehearsal-verdict.ts'
import { readingValues } from '../../spec/readings.ts'
import { withoutRepeatedReads } from './excerpt.ts'
import { toEventReport } from './json.ts'
import { rehearsalCommand, rehearsalTest, type RehearsalRepeat } from './rehearsal-repeat.ts'
import { explainVerdict } from './report.ts'
import { toTimeline } from './timeline.ts'

/** What makes a result of an outcome. */
export interface RehearsalReportOptions {
  readonly options: Pick<RunOptions, 'readings' | 'receiver' | 'effects' | 'seed'>
  readonly repeat: RehearsalRepeat
}

export function toRehearsalResult(
  { plan, whole, shortest, unsearched, unreached, conclusion }: RehearsalOutcome,
  { options, repeat }: RehearsalReportOptions,
): RehearsalResult {
  const { branch } = plan.rehearsal
  const toOrder = (order: RehearsedOrder) => toOrderResult(order, { branch, repeat, unreached })
  const { kind, outcome } = branch
  return {
    kind,
    outcome,
    conclusion,
    ...toOrder(whole),
    notifications: listNotifications(branch, options),
    shortest: shortest ? toOrder(shortest) : null,
    unsearched,
    seed: options.seed,
  }
}

/** What a plan would be, before it is played. */
export function toRehearsalPreview(
  { rehearsal: { branch, deliveries: planned }, obstacle }: RehearsalPlan,
  { options, repeat }: RehearsalReportOptions,
): RehearsalPreview {
  const { kind, outcome } = branch
  const deliveries = toNumbered(planned, branch)
  return {
    kind,
    outcome,
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

interface OrderPlace {
  readonly branch: Branch
  readonly repeat: RehearsalRepeat
  readonly unreached: string | null
}

function toOrderResult(
  { deliveries: planned, result }: RehearsedOrder,
  { branch, repeat, unreached }: OrderPlace,
): RehearsalOrderResult {
  const { verdict, finding, events, check } = result
  const deliveries = toNumbered(planned, branch)
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

/** What happened, each with a sentence for a person and everything else for programs. */
function toTrace(events: readonly RunEvent[]): TraceEntry[] {
  return toTimeline(withoutRepeatedReads(events)).flatMap((entry) =>
    entry.kind === 'answered'
      ? []
      : [{ text: describeEvent(entry), ...aboutOf(entry), ...toEventReport(entry) }],
  )
}

function describeEvent(event: RunEvent): string {
  switch (event.kind) {
    case 'sent':
      return event.exchange.label
    case 'called':
      return `${event.request.method} ${event.request.path}`
    case 'effects':
      return `${event.target.type} ${event.target.id}: ${describeEffects(event.seen)}`
    case 'world':
      return event.text
    default:
      return event satisfies never
  }
}

function aboutOf(event: RunEvent): Pick<TraceEntry, 'object_type' | 'object_id'> {
  switch (event.kind) {
    case 'sent':
      return { object_type: event.exchange.about?.type ?? null, object_id: event.exchange.about?.id ?? null }
    case 'called':
      return { object_type: event.request.object_type, object_id: event.request.object_id }
    case 'effects':
      return { object_type: event.target.type, object_id: event.target.id }
    case 'world':
      return { object_type: event.about[0]?.type ?? null, object_id: event.about[0]?.id ?? null }
    default:
      return event satisfies never
  }
}

/** What it comes to, in a sentence. Never good where nobody looked. */
export function rehearsalHeadline({
  whole,
  unreached,
}: Pick<RehearsalOutcome, 'whole' | 'unreached'>): string {
  const { verdict } = whole.result
  if (unreached !== null) return 'Nothing is known: your receiver was not reached'
  if (verdict === 'passed') return 'Your receiver did what it should'
  if (verdict === 'failed') return 'Your receiver failed'
  return verdict === 'inconclusive' ? 'No verdict' : 'No verdict on what your platform did'
}
