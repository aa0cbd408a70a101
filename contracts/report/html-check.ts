import { levelOf } from '../check.ts'
import { sentence } from '../toolkit/judge.ts'
import type { CheckResult, Moment } from '../run/run-result.ts'
import { headersOf } from './decisive.ts'
import { escaped } from './markup.ts'
import { LEVELS, sourceOf, took, VERDICTS, whyOf, type ReportOptions } from './report.ts'
import { settled, storyOf } from './story.ts'
import { timelineSvg } from './timeline-svg.ts'

/** More than this is no picture any more. */
const MOST_MOMENTS = 40

/** One check, folded unless it failed. */
export function checkHtml(result: CheckResult, { repeat }: ReportOptions): string {
  const { check, verdict, knownFailure, moments } = result
  const isFailed = verdict === 'failed'
  const needsLook = (isFailed && !knownFailure) || (knownFailure && verdict === 'passed')
  const known = knownFailure ? '<span class="tag">known to fail</span>' : ''
  return [
    `<details class="check ${verdict}" data-verdict="${verdict}"${needsLook ? ' open' : ''}>`,
    '<summary>',
    `<span class="id mono">${escaped(check.id)}</span><span class="req">${escaped(check.requirement)}</span>`,
    `${known}<span class="tag">${check.severity} · ${LEVELS[levelOf(check)]}</span><span class="tag ${verdict}">${VERDICTS[verdict]}</span>`,
    '</summary><div class="body"><dl>',
    ...factsOf(result).map(([name, text, look]) => rowHtml(name, text, look)),
    '</dl>',
    isFailed && moments.length > 0
      ? `<div class="scroll">${timelineSvg(storyOf(result, MOST_MOMENTS), `What happened in ${check.id}`)}</div>`
      : '',
    `<pre>${escaped(repeat(check.id))}</pre>`,
    // What was sent where all is well would make the page too long to open.
    ...(verdict !== 'passed' && moments.length > 0 ? exchangesHtml(settled(moments)) : []),
    '</div></details>',
  ].join('\n')
}

type Fact = readonly [name: string, text: string, look: string]

function factsOf(result: CheckResult): readonly Fact[] {
  const { check, verdict, finding } = result
  const why = whyOf(result)
  return [
    ...(finding?.kind === 'failed' ? [['Expected', finding.expected, ''] as const] : []),
    ...(why === '' ? [] : [[WHY[verdict], why, verdict === 'failed' ? 'actual' : ''] as const]),
    ['Meaning', check.meaning, verdict === 'failed' ? 'money' : ''],
    ['Fix', check.remedy, verdict === 'failed' ? 'fix' : ''],
    ...sourceOf(result).map((line, index) => [index === 0 ? 'Document' : '', line, ''] as const),
    ...(check.readings?.length ? [['Reading', check.readings.join(', '), ''] as const] : []),
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
  return `<dt>${name}</dt><dd${look === '' ? '' : ` class="${look}"`}>${escaped(text)}</dd>`
}

function exchangesHtml(moments: readonly Moment[]): readonly string[] {
  return [
    '<details class="exchange"><summary>Everything that was sent and seen</summary>',
    ...moments.map((moment) => `<pre>${escaped(momentText(moment))}</pre>`),
    '</details>',
  ]
}

function momentText(moment: Moment): string {
  const at = took(moment.atMs)
  switch (moment.kind) {
    case 'sent':
      return sentText(moment.sent, at)
    case 'effects':
      return `${at}  ${moment.target.type} ${moment.target.id}: ${sentence(moment.seen)}`
    case 'called': {
      const { method, path, status, took_ms, by, user_agent } = moment.request
      const answer = `${status ?? 'cut'}${took_ms === null ? '' : ` in ${took(took_ms)}`}`
      return `${at}  called back: ${method} ${path}\nby ${by ?? 'nobody known'} (${user_agent ?? 'no user agent'})\n\n${answer}`
    }
    case 'world':
      return `${at}  ${moment.text}`
    default:
      return moment satisfies never
  }
}

function sentText(sent: Extract<Moment, { readonly kind: 'sent' }>['sent'], at: string): string {
  const { label, request, response, message, tookMs } = sent
  const answer = response
    ? `${response.status} in ${took(tookMs)}\n${linesOf(response.headers)}\n${response.body}`
    : `no answer in ${took(tookMs)}: ${message}`
  return `${at}  ${label}\n${request.method} ${request.url}\n${linesOf(headersOf(sent))}\n${request.body}\n\n${answer}`
}

function linesOf(headers: readonly (readonly [name: string, value: string])[]): string {
  return headers.map(([name, value]) => `${name}: ${value}\n`).join('')
}
