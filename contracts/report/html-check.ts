import { findRepeat, repeatCommand } from './case-repeat.ts'
import { storyOf } from './check-text.ts'
import { requiredLevel } from '../check.ts'
import type { Exchange } from '../finding.ts'
import { reportedVerdict, type CheckResult } from '../run/run-result.ts'
import { escapeHtml } from './markup.ts'
import {
  checkUrl,
  explainVerdict,
  formatCount,
  formatFlags,
  formatMs,
  LEVELS,
  quoteSource,
  VERDICTS,
  type CheckReportOptions,
} from './report.ts'
import { excerptBody, FULL_REPORT } from './body-excerpt.ts'
import { selectExcerpt } from './excerpt.ts'
import { selectShown, type OmittedExchanges } from './shown-events.ts'
import { timelineSvg } from './timeline-svg.ts'
import { labelOf, toTimeline, type TimelineEntry } from './timeline.ts'
import { describeEffects } from '../toolkit/expectations.ts'

/** More than this is no picture any more. */
const MOST_EVENTS = 40

/** The check's place in the page; what links to it opens it. */
export function anchorOf({ check }: Pick<CheckResult, 'check'>): string {
  return `check/${check.id}`
}

/** What every check of a page is written with. */
export interface CheckPageOptions extends CheckReportOptions {
  /** How many events of a check are shown; Infinity for all. */
  readonly mostEvents: number
}

interface CheckHtmlOptions extends CheckPageOptions {
  readonly isOpen: boolean
  /** It is shown as an example of something that has a meaning and a remedy of its own. */
  readonly isExample?: boolean
}

/** One check, with all that is known of it. */
export function checkHtml(result: CheckResult, options: CheckHtmlOptions): string {
  const { isOpen, isExample = false, mostEvents } = options
  const { check, verdict, knownFailure, events } = result
  const reported = reportedVerdict(result)
  const isFailed = verdict === 'failed'
  const known = knownFailure ? '<span class="tag">known to fail</span>' : ''
  return [
    `<details class="check ${reported}" id="${escapeHtml(anchorOf(result))}" data-verdict="${reported}"${isOpen ? ' open' : ''}>`,
    '<summary>',
    `<span class="id mono">${escapeHtml(check.id)}</span><span class="req">${escapeHtml(check.requirement)}</span>`,
    `${known}<span class="tag">${check.severity} · ${LEVELS[requiredLevel(check)]}</span><span class="tag ${reported}">${VERDICTS[reported]}</span>`,
    '</summary><div class="body"><dl>',
    ...checkFacts(result, isExample).map(([name, text, look]) => rowHtml(name, text, look)),
    '</dl>',
    isFailed && events.length > 0
      ? `<div class="scroll">${timelineSvg(selectExcerpt(result, Math.min(MOST_EVENTS, mostEvents)), check.id)}</div>`
      : '',
    `<pre>${escapeHtml(repeatCommand(result, options))}</pre>`,
    ...[findRepeat(result, options)?.test ?? []].flat().map((test) => `<pre>${escapeHtml(test)}</pre>`),
    `<p><a rel="noreferrer" href="${escapeHtml(checkUrl(check.id))}">All about this check</a></p>`,
    // What was sent where all is well would make the page too long to open.
    ...(verdict !== 'passed' && events.length > 0 ? exchangesHtml(result, mostEvents) : []),
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
  passed: 'Not observed',
  failed: 'Actual',
  inconclusive: 'Why',
  'not-observable': 'Why',
  skipped: 'Why',
}

function rowHtml(name: string, text: string, look: string): string {
  return `<dt>${name}</dt><dd${look === '' ? '' : ` class="${look}"`}>${escapeHtml(text)}</dd>`
}

function exchangesHtml(result: CheckResult, mostEvents: number): readonly string[] {
  const { events, omitted } = selectShown(result, mostEvents)
  const isFull = mostEvents === Infinity
  const shortenBody = isFull ? (body: string) => body : excerptBody
  const title = isFull ? 'Everything that was sent and seen' : 'What decided, and what else was sent'
  return [
    `<details class="exchange"><summary>${title}</summary>`,
    ...toTimeline(events).map((entry) => `<pre>${escapeHtml(entryText(entry, shortenBody))}</pre>`),
    ...omittedHtml(omitted),
    '</details>',
  ]
}

function omittedHtml(omitted: readonly OmittedExchanges[]): readonly string[] {
  if (omitted.length === 0) return []
  const items = omitted.map(({ label, status, reason, count }) => {
    const answer = status === null ? `not answered (${reason})` : `answered ${status}`
    return `<li>${escapeHtml(`${label}: ${answer}, ${formatCount(count, 'time')}`)}</li>`
  })
  return [`<p>Also sent (${FULL_REPORT} shows each):</p><ul>${items.join('')}</ul>`]
}

type ShortenBody = (body: string) => string

function entryText(entry: TimelineEntry, shortenBody: ShortenBody): string {
  const at = formatMs(entry.atMs)
  switch (entry.kind) {
    case 'sent': {
      const request = `${at}  ${labelOf(entry)}\n${requestText(entry.exchange, shortenBody)}`
      return entry.hasAnswer ? `${request}\n\n${answerText(entry.exchange, shortenBody)}` : request
    }
    case 'answered':
      return `${at}  answer to ${labelOf(entry)}\n${answerText(entry.exchange, shortenBody)}`
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

function requestText(sent: Exchange, shortenBody: ShortenBody): string {
  const { request } = sent
  return `${request.method} ${request.url}\n${headerText(request.headers)}\n${shortenBody(request.body)}`
}

function answerText({ response, message, tookMs, flags }: Exchange, shortenBody: ShortenBody): string {
  const odd = formatFlags({ flags })
  return response
    ? `${response.status} in ${formatMs(tookMs)}${odd}\n${headerText(response.headers)}\n${shortenBody(response.body)}`
    : `no answer in ${formatMs(tookMs)}: ${message}${odd}`
}

function headerText(headers: readonly (readonly [name: string, value: string])[]): string {
  return headers.map(([name, value]) => `${name}: ${value}\n`).join('')
}
