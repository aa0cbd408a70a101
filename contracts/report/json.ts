import { toPrintableJson } from '../../sandbox/internal.ts'
import { requiredLevel } from '../check.ts'
import type { CheckResult, JudgedConsequence, RunResult } from '../run/run-result.ts'
import { viewEvent, type ShownEvent } from './events.ts'
import { evidenceOf, excerptBody, selectShown, writeToSize } from './excerpt.ts'
import type { FailureGroup } from './failure-groups.ts'
import { modelRun, titleOf } from './model.ts'
import { findRepeat, repeatCommand } from './repeat.ts'
import {
  explainVerdict,
  quoteSource,
  verdictName,
  type CheckReportOptions,
  type Report,
  type ReportOptions,
} from './report.ts'

export const jsonReport: Report = (result, options) =>
  writeToSize((most) => writeJson(result, options, most), options.full)

function writeJson(result: RunResult, options: ReportOptions, most: number): string {
  const { counts, headline, failures } = modelRun(result, options.demands)
  const { passed, failed, inconclusive, skipped } = counts
  const { 'partly-observed': partly_observed, 'not-observable': not_observable } = counts
  const { kind, sentence, details } = headline
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
    failures: failures.map(toFailureReport),
    checks: result.results.map((one) => toCheckReport(one, options, most)),
  }
  return `${toPrintableJson(report, 2)}\n`
}

function toFailureReport({ cause, words, lead, others, unjudged }: FailureGroup) {
  const ids = (results: readonly CheckResult[]) => results.map(({ check }) => check.id)
  return {
    title: words?.title ?? titleOf(lead),
    cause: cause ?? null,
    check: lead.check.id,
    others: ids(others),
    unjudged: ids(unjudged),
  }
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
      ? viewEvent(event).data
      : withShortBodies(viewEvent(event).data, evidenceOf(finding).field)
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
    remedy: check.remedy,
    exchanges: sortEvents(events, verdict).map(toReport),
    omitted,
    repeat: repeatCommand(result, options),
    ...(finding?.kind === 'failed' && finding.counterexample
      ? { counterexample: { ...finding.counterexample, test: findRepeat(result, options)?.test ?? null } }
      : {}),
  }
}

type EventReport = ReturnType<typeof viewEvent>['data']

function withShortBodies(event: EventReport, field: string | undefined): EventReport {
  if (!('response' in event)) return event
  const { request, response } = event
  return {
    ...event,
    request: { ...request, body: excerptBody(request.body, field) },
    response: response && { ...response, body: excerptBody(response.body) },
  }
}

/** Sorts events by content, because concurrent checks make their order random. Includes calls only for failed checks. */
function sortEvents(events: readonly ShownEvent[], verdict: CheckResult['verdict']): readonly ShownEvent[] {
  const reported = verdict === 'failed' ? events : events.filter(({ kind }) => kind !== 'called')
  return reported.toSorted((a, b) => compare(viewEvent(a).order, viewEvent(b).order))
}

const { compare } = new Intl.Collator('en', { numeric: true })
