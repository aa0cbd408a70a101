import { isSuccess } from '../../spec/delivery.ts'
import type { Exchange } from '../finding.ts'
import { reportedVerdict, type CheckResult } from '../run/run-result.ts'
import { abbreviateIds } from './columns.ts'
import { escapeHtml } from './escape.ts'
import { describeEntry, toTimeline, type TimelineEntry } from './events.ts'
import {
  excerptBody,
  FULL_REPORT,
  selectExcerpt,
  selectShown,
  type Excerpt,
  type OmittedExchanges,
} from './excerpt.ts'
import { modelCheck, type Fact } from './model.ts'
import { checkUrl, formatCount, formatFlags, formatMs, verdictText, type ReportOptions } from './report.ts'

const MAX_EVENTS = 40

/** Returns the URL fragment of a check. A link with this fragment opens the details of the check. */
export function anchorOf({ check }: Pick<CheckResult, 'check'>): string {
  return `check/${check.id}`
}

export interface PageOptions extends ReportOptions {
  readonly mostEvents: number
}

/** Returns the HTML of a check. `isExample` is true if the cause already contains the meaning and the remedy. */
export function checkHtml(
  result: CheckResult,
  options: PageOptions,
  { isOpen = false, isExample = false } = {},
): string {
  const { mostEvents } = options
  const { check, verdict, knownFailure, events } = result
  const { title, rank, facts, command, test } = modelCheck(result, options, isExample)
  const reported = reportedVerdict(result)
  const isFailed = verdict === 'failed'
  const known = knownFailure ? '<span class="tag">known to fail</span>' : ''
  return [
    `<details class="check ${reported}" id="${escapeHtml(anchorOf(result))}" data-verdict="${reported}"${isOpen ? ' open' : ''}>`,
    '<summary>',
    `<span class="id mono">${escapeHtml(check.id)}</span><span class="req">${escapeHtml(title)}</span>`,
    `${known}<span class="tag">${rank}</span><span class="tag ${reported}">${verdictText(reported)}</span>`,
    '</summary><div class="body"><dl>',
    ...facts.map((fact) => factHtml(fact, isFailed)),
    '</dl>',
    isFailed && events.length > 0
      ? `<div class="scroll" tabindex="0">${timelineHtml(selectExcerpt(result, Math.min(MAX_EVENTS, mostEvents)), check.id)}</div>`
      : '',
    ...[command, test ?? []].flat().map((text) => `<pre>${escapeHtml(text)}</pre>`),
    `<p><a rel="noreferrer" href="${escapeHtml(checkUrl(check.id))}">More about this check</a></p>`,
    // Omits the exchanges of passed checks, which would make the page too long.
    ...(verdict !== 'passed' && events.length > 0 ? exchangesHtml(result, mostEvents) : []),
    '</div></details>',
  ].join('\n')
}

const LOOKS: { readonly [Name in Fact['name']]?: string } = { Meaning: 'money', Fix: 'fix' }

function factHtml({ name, lines }: Fact, isFailed: boolean): string {
  const look = isFailed ? LOOKS[name] : undefined
  return lines
    .map((line, index) => {
      const style = look === undefined ? '' : ` class="${look}"`
      return `<dt>${index === 0 ? name : ''}</dt><dd${style}>${escapeHtml(line)}</dd>`
    })
    .join('\n')
}

function exchangesHtml(result: CheckResult, mostEvents: number): readonly string[] {
  const { events, omitted } = selectShown(result, mostEvents)
  const isFull = mostEvents === Infinity
  const shortenBody = isFull ? (body: string) => body : excerptBody
  const title = isFull
    ? 'All exchanges and observations'
    : 'The exchanges that decided the verdict, and the number of other exchanges'
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
  const { event, part, atMs } = entry
  const { text, outcome } = describeEntry(entry)
  const line = `${formatMs(atMs)}  ${text}`
  if (event.kind === 'called') {
    const { by, user_agent } = event.request
    return `${line}\nby ${by ?? 'an unknown caller'} (${user_agent ?? 'no user agent'})\n\n${outcome}`
  }
  if (event.kind !== 'sent') return line
  const { exchange } = event
  const request = `${line}\n${requestText(exchange, shortenBody)}`
  const answer = answerText(exchange, shortenBody)
  if (part === 'answer') return `${line}\n${answer}`
  return part === 'request' ? request : `${request}\n\n${answer}`
}

function requestText({ request }: Exchange, shortenBody: ShortenBody): string {
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

/** Returns the timeline as a list. The style sheet draws the arrows between the service and the receiver. */
function timelineHtml({ events, isPart, hasEarlier }: Excerpt, name: string): string {
  const more = hasEarlier ? '… earlier deliveries, below' : '… and more, below'
  return [
    `<ol class="timeline" aria-label="${escapeHtml(`Timeline of ${name}`)}">`,
    '<li class="lanes" aria-hidden="true"><b>service</b><b>receiver</b><b>effects</b></li>',
    ...toTimeline(events).map((entry) => `<li><time>${formatMs(entry.atMs)}</time>${lanesHtml(entry)}</li>`),
    ...(isPart ? [`<li><p class="world">${more}</p></li>`] : []),
    '</ol>',
  ].join('\n')
}

function lanesHtml(entry: TimelineEntry): string {
  const { event, part } = entry
  const { text, outcome } = describeEntry(entry)
  switch (event.kind) {
    case 'sent': {
      const { status } = event.exchange
      const look = status === null ? 'bad cut' : isSuccess(status) ? 'good' : 'bad'
      const answer = laneHtml(`back ${look}`, part === 'answer' ? `${text}: ${outcome}` : outcome)
      if (part === 'answer') return answer
      return laneHtml('out', text, 'The service sends') + (part === 'whole' ? answer : '')
    }
    case 'called': {
      const { status } = event.request
      const look = status !== null && status < 400 ? 'good' : 'bad'
      return laneHtml('call', text, 'The receiver calls') + laneHtml(`reply ${look}`, outcome)
    }
    case 'effects': {
      const [target = '', effects = ''] = text.split(': ')
      return laneHtml(`effect effect-${Math.min(2, Math.max(0, event.seen.effects))}`, effects, target)
    }
    case 'world':
      return laneHtml('world', text)
    default:
      return event satisfies never
  }
}

/** `spoken` names the actor or the object for screen readers. Visually, only the position shows the actor or the object. */
function laneHtml(look: string, text: string, spoken = ''): string {
  const prefix = spoken === '' ? '' : `<span class="spoken">${escapeHtml(spoken)} </span>`
  return `<p class="${look}" title="${escapeHtml(text)}">${prefix}${escapeHtml(abbreviateIds(text))}</p>`
}
