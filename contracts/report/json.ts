import { levelOf } from '../check.ts'
import { summaryOf, type CheckResult, type Moment } from '../run/run-result.ts'
import { headersOf } from './decisive.ts'
import { sourceOf, whyOf, type Report, type ReportOptions } from './report.ts'
import { settled } from './story.ts'

/** The whole result, with every exchange, for programs. */
export const jsonReport: Report = (result, options) => {
  const { 'not-observable': not_observable, ...summary } = summaryOf(result)
  const { passed, failed, inconclusive, skipped } = summary
  const report = {
    receiver: result.receiver,
    profile: result.readings,
    seed: result.seed,
    level: result.level,
    summary: { passed, failed, not_observable, inconclusive, skipped },
    checks: result.results.map((one) => checkReported(one, options)),
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

function checkReported(result: CheckResult, { repeat }: ReportOptions) {
  const { check, verdict, finding, moments } = result
  return {
    id: check.id,
    severity: check.severity,
    level: levelOf(check),
    verdict: verdict === 'not-observable' ? 'not_observable' : verdict,
    requirement: check.requirement,
    source: sourceOf(result),
    ...(check.readings?.length ? { reading: check.readings } : {}),
    expected: finding?.kind === 'failed' ? finding.expected : null,
    actual: whyOf(result) || null,
    exchanges: inFixedOrder(settled(moments), verdict).map(momentReported),
    repeat: repeat(check.id),
  }
}

/**
 * Checks do several things at once, and a receiver asks back when it likes: what comes first, and how often it asked, is no
 * part of a result. So what was done has an order of its own, and calls back are told only where they may explain a failure.
 */
function inFixedOrder(moments: readonly Moment[], verdict: CheckResult['verdict']): readonly Moment[] {
  const told = verdict === 'failed' ? moments : moments.filter(({ kind }) => kind !== 'called')
  return told.toSorted((a, b) => compare(keyOf(a), keyOf(b)))
}

const { compare } = new Intl.Collator('en', { numeric: true })

function keyOf(moment: Moment): string {
  switch (moment.kind) {
    case 'world':
      return `1 ${moment.text}`
    case 'sent':
      return `2 ${moment.sent.request.body} ${moment.sent.label} ${moment.sent.request.url}`
    case 'effects':
      return `3 ${moment.target.type} ${moment.target.id} ${moment.seen.effects}`
    case 'called':
      return `4 ${moment.request.path}`
    default:
      return moment satisfies never
  }
}

function momentReported(moment: Moment) {
  const { kind, atMs: at_ms } = moment
  switch (moment.kind) {
    case 'sent': {
      const { label, request, status, reason, message, flags, tookMs: took_ms, response } = moment.sent
      const asked = { ...request, headers: headersOf(moment.sent) }
      return { kind, at_ms, label, request: asked, status, reason, message, flags, took_ms, response }
    }
    case 'effects':
      return { kind, at_ms, object_type: moment.target.type, id: moment.target.id, ...moment.seen }
    case 'called': {
      // Its number counts the calls of every check, which run side by side.
      const { id: _, ...request } = moment.request
      return { kind, at_ms, request }
    }
    case 'world':
      return { kind, at_ms, text: moment.text }
    default:
      return moment satisfies never
  }
}
