import { findRepeat, repeatCommand } from './case-repeat.ts'
import { toPrintableJson } from '../../sandbox/internal.ts'
import { requiredLevel } from '../check.ts'
import {
  countVerdicts,
  type CheckResult,
  type JudgedConsequence,
  type RunEvent,
  type RunResult,
} from '../run/run-result.ts'
import {
  explainVerdict,
  quoteSource,
  verdictName,
  type CheckReportOptions,
  type Report,
  type ReportOptions,
} from './report.ts'
import { groupFailures, type FailureGroup } from './failure-groups.ts'
import { headlineOf } from './headline.ts'
import { excerptBody } from './body-excerpt.ts'
import { evidenceOf, type ShownEvent } from './excerpt.ts'
import { selectShown, writeToSize } from './shown-events.ts'

/** The result for programs, with the exchanges that decided; in a full report, with every exchange. */
export const jsonReport: Report = (result, options) =>
  writeToSize((most) => writeJson(result, options, most), options.full)

function writeJson(result: RunResult, options: ReportOptions, most: number): string {
  const counts = countVerdicts(result)
  const { passed, failed, inconclusive, skipped } = counts
  const { 'partly-observed': partly_observed, 'not-observable': not_observable } = counts
  const { kind, sentence, details } = headlineOf(result, options.demands)
  const report = {
    conclusion: kind,
    headline: [sentence, ...details].join('. '),
    receiver: result.receiver,
    readings: result.readings,
    seed: result.seed,
    world: result.world,
    level: result.level,
    effect_delay: result.effectDelay && {
      latest_ms: result.effectDelay.latestMs,
      waited_ms: result.effectDelay.waitedMs,
    },
    summary: { passed, partly_observed, failed, not_observable, inconclusive, skipped },
    consequences: result.consequences.map(toConsequenceReport),
    failures: groupFailures(result).map(toFailureReport),
    checks: result.results.map((one) => toCheckReport(one, options, most)),
  }
  return `${toPrintableJson(report, 2)}\n`
}

/** In the order in which they are to be mended. */
function toFailureReport({ cause, lead, others, unjudged }: FailureGroup) {
  const ids = (results: readonly CheckResult[]) => results.map(({ check }) => check.id)
  return { cause: cause ?? null, check: lead.check.id, others: ids(others), unjudged: ids(unjudged) }
}

function toConsequenceReport({
  object: object_type,
  isConfigured: configured,
  judgedBy: judged_by,
  isLookedFor: looked_for,
  isMissed: missed,
  ...others
}: JudgedConsequence) {
  return { ...others, object_type, configured, looked_for, judged_by, missed }
}

function toCheckReport(result: CheckResult, options: CheckReportOptions, most: number) {
  const { check, verdict, finding } = result
  const { events, omitted } = selectShown(result, most)
  const toReport = (event: ShownEvent) =>
    most === Infinity
      ? toEventReport(event)
      : withShortBodies(toEventReport(event), evidenceOf(finding).field)
  return {
    id: check.id,
    severity: check.severity,
    level: requiredLevel(check),
    verdict: verdictName(result),
    requirement: check.requirement,
    source: quoteSource(result),
    ...(check.readings?.length ? { reading: check.readings } : {}),
    expected: finding?.kind === 'failed' ? finding.expected : null,
    actual: explainVerdict(result) || null,
    exchanges: sortEvents(events, verdict).map(toReport),
    omitted,
    repeat: repeatCommand(result, options),
    ...(finding?.kind === 'failed' && finding.counterexample
      ? { counterexample: { ...finding.counterexample, test: findRepeat(result, options)?.test ?? null } }
      : {}),
  }
}

type EventReport = ReturnType<typeof toEventReport>

function withShortBodies(event: EventReport, field: string | undefined): EventReport {
  if (!('response' in event)) return event
  const { request, response } = event
  return {
    ...event,
    request: { ...request, body: excerptBody(request.body, field) },
    response: response && { ...response, body: excerptBody(response.body) },
  }
}

/**
 * Checks do several things at once, and a receiver asks back when it likes: what comes first, and how often it asked, is no
 * part of a result. So events are sorted by what was done, and calls back are listed only where they may explain a failure.
 */
function sortEvents(events: readonly ShownEvent[], verdict: CheckResult['verdict']): readonly ShownEvent[] {
  const reported = verdict === 'failed' ? events : events.filter(({ kind }) => kind !== 'called')
  return reported.toSorted((a, b) => compare(sortKey(a), sortKey(b)))
}

const { compare } = new Intl.Collator('en', { numeric: true })

function sortKey(event: RunEvent): string {
  switch (event.kind) {
    case 'world':
      return `1 ${event.text}`
    case 'sent':
      return `2 ${event.exchange.request.body} ${event.exchange.label} ${event.exchange.request.url}`
    case 'effects':
      return `3 ${event.target.type} ${event.target.id} ${event.seen.effects}`
    case 'called':
      return `4 ${event.request.path}`
    default:
      return event satisfies never
  }
}

export function toEventReport(event: ShownEvent) {
  const { kind, atMs: at_ms, times } = event
  switch (event.kind) {
    case 'sent': {
      const { label, request, status, reason, message, flags, tookMs: took_ms, response } = event.exchange
      const sent = { kind, at_ms, label, request, status, reason, message, flags, took_ms, response }
      return times === undefined ? sent : { ...sent, times }
    }
    case 'effects':
      return { kind, at_ms, object_type: event.target.type, id: event.target.id, ...event.seen }
    case 'called': {
      // Its number counts the calls of every check, which run side by side.
      const { id: _, ...request } = event.request
      return { kind, at_ms, request }
    }
    case 'world':
      return { kind, at_ms, text: event.text }
    default:
      return event satisfies never
  }
}
