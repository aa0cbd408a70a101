import type { CheckResult } from '../run/run-result.ts'
import { abbreviateIds, chopText, clip, LABEL, truncate, wrapText, type Screen } from './columns.ts'
import { describeEntry, OUTCOME_WIDTH, toTimeline, type TimelineEntry } from './events.ts'
import {
  effectsAround,
  evidenceOf,
  excerptBody,
  FULL_REPORT,
  selectExcerpt,
  type Excerpt,
} from './excerpt.ts'
import { formatFlags, formatMs } from './report.ts'
import { toPrintable } from '../../sandbox/internal.ts'
import { describeEffects } from '../toolkit/expectations.ts'

const MOST_EVENTS = 16
const MOST_HEADERS = 12

const MARGIN = LABEL + 2

/** Writes the timeline, then the deciding exchange and effects. */
export function evidenceLines(result: CheckResult, screen: Screen): readonly string[] {
  const excerpt = selectExcerpt(result, MOST_EVENTS)
  const { field } = evidenceOf(result.finding)
  const lines = [...exchangeLines(excerpt, field, screen), ...effectLines(excerpt, screen)]
  return [...eventLines(excerpt, screen), ...lines, ...(lines.length === 0 ? [] : [''])]
}

/** Writes the timeline. A single event needs none. */
function eventLines({ events, isPart, hasEarlier }: Excerpt, screen: Screen): readonly string[] {
  if (events.length < 2) return []
  const more = (text: string) => screen.paint('dim', `             … ${text}`)
  return [
    '  What happened',
    ...(hasEarlier ? [more(`${FULL_REPORT} shows the earlier events`)] : []),
    ...toTimeline(events).map((entry) => eventLine(entry, screen)),
    ...(isPart && !hasEarlier ? [more(`${FULL_REPORT} shows the rest`)] : []),
    '',
  ]
}

/** Writes a line of a timeline. The outcome has its own column. */
export function eventLine(entry: TimelineEntry, { paint, width }: Screen): string {
  const at = paint('dim', `  ${formatMs(entry.atMs).padStart(9)}  `)
  const { mark, text, outcome, isBad } = describeEntry(entry)
  const clean = toPrintable(abbreviateIds(text))
  if (outcome === '') return `${at}${mark} ${clip(clean, width - 15)}`
  const room = width - 16 - OUTCOME_WIDTH
  const end = paint(isBad ? 'red' : 'dim', clip(toPrintable(outcome), OUTCOME_WIDTH))
  return `${at}${mark} ${clip(clean, room).padEnd(room)} ${end}`
}

function exchangeLines({ deciding }: Excerpt, field: string | undefined, screen: Screen): readonly string[] {
  if (!deciding) return []
  const { width } = screen
  const sent = deciding.exchange
  const { request, response } = sent
  const answer = response
    ? [
        ...wrapText(`${response.status} in ${formatMs(sent.tookMs)}${formatFlags(sent)}`, MARGIN, width),
        ...headerLines(response.headers.filter(isTelling), width),
        ...bodyLines(excerptBody(response.body), width),
      ]
    : wrapText(`none: ${sent.message}${formatFlags(sent)}`, MARGIN, width)
  const asked = [
    ...wrapText(`${request.method} ${request.url}`, MARGIN, width),
    ...headerLines(request.headers, width),
    ...bodyLines(excerptBody(request.body, field), width),
  ]
  return [...labelled('Request', asked, screen), ...labelled('Answer', answer, screen)]
}

function labelled(name: string, lines: readonly string[], { paint }: Screen): readonly string[] {
  return lines.map((line, index) =>
    index === 0 ? `  ${paint('dim', name.padEnd(LABEL))}${line.trimStart()}` : line,
  )
}

function effectLines(excerpt: Excerpt, screen: Screen): readonly string[] {
  const { before, after } = effectsAround(excerpt)
  if (!after) return []
  const { type, id } = after.target
  const lines = [
    `${type} ${id}`,
    ...(before ? [`before: ${describeEffects(before.seen)}`] : []),
    `after:  ${describeEffects(after.seen)}`,
  ]
  return labelled(
    'Effect',
    lines.flatMap((line) => wrapText(line, MARGIN, screen.width)),
    screen,
  )
}

const COMMON = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

function isTelling([name]: readonly [name: string, value: string]): boolean {
  return !COMMON.has(name.toLowerCase())
}

function headerLines(
  headers: readonly (readonly [name: string, value: string])[],
  width: number,
): readonly string[] {
  const lines = headers
    .slice(0, MOST_HEADERS)
    .flatMap(([name, value]) => chopText(truncate(`${name}: ${value}`, 480), MARGIN, width))
  const more = headers.length - MOST_HEADERS
  return more > 0 ? [...lines, `${' '.repeat(MARGIN)}… ${more} more headers`] : lines
}

function bodyLines(body: string, width: number): readonly string[] {
  return body === '' ? [] : chopText(body, MARGIN, width)
}
