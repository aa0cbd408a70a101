import { findRepeat, repeatCommand } from './case-repeat.ts'
import { storyOf } from './check-text.ts'
import { requiredLevel } from '../check.ts'
import type { Exchange } from '../finding.ts'
import type { CheckResult, RunEvent } from '../run/run-result.ts'
import { escapeHtml } from './markup.ts'
import {
  checkUrl,
  explainVerdict,
  formatFlags,
  formatMs,
  LEVELS,
  quoteSource,
  VERDICTS,
  type CheckReportOptions,
} from './report.ts'
import { withoutRepeatedReads, selectExcerpt } from './excerpt.ts'
import { timelineSvg } from './timeline-svg.ts'
import { toTimeline, type TimelineEntry } from './timeline.ts'
import { describeEffects } from '../toolkit/expectations.ts'

/** More than this is no picture any more. */
const MOST_EVENTS = 40

/** The check's place in the page; what links to it opens it. */
export function anchorOf({ check }: Pick<CheckResult, 'check'>): string {
  return `check/${check.id}`
}

interface CheckHtmlOptions extends CheckReportOptions {
  readonly isOpen: boolean
  /** It is shown as an example of something that has a meaning and a remedy of its own. */
  readonly isExample?: boolean
}

/** One check, with all that is known of it. */
export function checkHtml(result: CheckResult, options: CheckHtmlOptions): string {
  const { isOpen, isExample = false } = options
  const { check, verdict, knownFailure, events } = result
  const isFailed = verdict === 'failed'
  const known = knownFailure ? '<span class="tag">known to fail</span>' : ''
  return [
    `<details class="check ${verdict}" id="${escapeHtml(anchorOf(result))}" data-verdict="${verdict}"${isOpen ? ' open' : ''}>`,
    '<summary>',
    `<span class="id mono">${escapeHtml(check.id)}</span><span class="req">${escapeHtml(check.requirement)}</span>`,
    `${known}<span class="tag">${check.severity} · ${LEVELS[requiredLevel(check)]}</span><span class="tag ${verdict}">${VERDICTS[verdict]}</span>`,
    '</summary><div class="body"><dl>',
    ...checkFacts(result, isExample).map(([name, text, look]) => rowHtml(name, text, look)),
    '</dl>',
    isFailed && events.length > 0
      ? `<div class="scroll">${timelineSvg(selectExcerpt(result, MOST_EVENTS), check.id)}</div>`
      : '',
    `<pre>${escapeHtml(repeatCommand(result, options))}</pre>`,
    ...[findRepeat(result, options)?.test ?? []].flat().map((test) => `<pre>${escapeHtml(test)}</pre>`),
    `<p><a rel="noreferrer" href="${escapeHtml(checkUrl(check.id))}">All about this check</a></p>`,
    // What was sent where all is well would make the page too long to open.
    ...(verdict !== 'passed' && events.length > 0 ? exchangesHtml(withoutRepeatedReads(events)) : []),
    '</div></details>',
  ].join('\n')
}

type Fact = readonly [name: string, text: string, look: string]

function checkFacts(result: CheckResult, isExample: boolean): readonly Fact[] {
  const { check, verdict, finding } = result
  const why = explainVerdict(result)
  return [
    ...(finding?.kind === 'failed' ? [['Expected', finding.expected, ''] as const] : []),
    ...(why === '' ? [] : [[WHY[verdict], why, verdict === 'failed' ? 'actual' : ''] as const]),
    ...storyOf(result).map((line, index) => [index === 0 ? 'Story' : '', line, ''] as const),
    ...(isExample ? [] : remedyFacts(result)),
    ...quoteSource(result).map((line, index) => [index === 0 ? 'Document' : '', line, ''] as const),
    ...(check.readings?.length ? [['Reading', check.readings.join(', '), ''] as const] : []),
  ]
}

function remedyFacts({ check, verdict }: CheckResult): readonly Fact[] {
  const isFailed = verdict === 'failed'
  return [
    ['Meaning', check.meaning, isFailed ? 'money' : ''],
    ['Fix', check.remedy, isFailed ? 'fix' : ''],
  ]
}

const WHY: { readonly [Each in CheckResult['verdict']]: string } = {
  passed: 'Not seen',
  failed: 'Actual',
  inconclusive: 'Why',
  'not-observable': 'Why',
  skipped: 'Why',
}

function rowHtml(name: string, text: string, look: string): string {
  return `<dt>${name}</dt><dd${look === '' ? '' : ` class="${look}"`}>${escapeHtml(text)}</dd>`
}

function exchangesHtml(events: readonly RunEvent[]): readonly string[] {
  return [
    '<details class="exchange"><summary>Everything that was sent and seen</summary>',
    ...toTimeline(events).map((entry) => `<pre>${escapeHtml(entryText(entry))}</pre>`),
    '</details>',
  ]
}

function entryText(entry: TimelineEntry): string {
  const at = formatMs(entry.atMs)
  switch (entry.kind) {
    case 'sent': {
      const request = `${at}  ${entry.exchange.label}\n${requestText(entry.exchange)}`
      return entry.hasAnswer ? `${request}\n\n${answerText(entry.exchange)}` : request
    }
    case 'answered':
      return `${at}  answer to ${entry.exchange.label}\n${answerText(entry.exchange)}`
    case 'effects':
      return `${at}  ${entry.target.type} ${entry.target.id}: ${describeEffects(entry.seen)}`
    case 'called': {
      const { method, path, status, took_ms, by, user_agent } = entry.request
      const answer = `${status ?? 'cut'}${took_ms === null ? '' : ` in ${formatMs(took_ms)}`}`
      return `${at}  called back: ${method} ${path}\nby ${by ?? 'nobody known'} (${user_agent ?? 'no user agent'})\n\n${answer}`
    }
    case 'world':
      return `${at}  ${entry.text}`
    default:
      return entry satisfies never
  }
}

function requestText(sent: Exchange): string {
  const { request } = sent
  return `${request.method} ${request.url}\n${headerText(request.headers)}\n${request.body}`
}

function answerText({ response, message, tookMs, flags }: Exchange): string {
  const odd = formatFlags({ flags })
  return response
    ? `${response.status} in ${formatMs(tookMs)}${odd}\n${headerText(response.headers)}\n${response.body}`
    : `no answer in ${formatMs(tookMs)}: ${message}${odd}`
}

function headerText(headers: readonly (readonly [name: string, value: string])[]): string {
  return headers.map(([name, value]) => `${name}: ${value}\n`).join('')
}
