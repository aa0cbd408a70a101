import type { EffectState } from '../toolkit/effects.ts'
import type { CheckResult, RunEvent } from '../run/run-result.ts'
import type { Exchange } from '../finding.ts'
import { chopText, wrapText, truncate, type Screen } from './columns.ts'
import { effectsAround, selectExcerpt, type Excerpt } from './excerpt.ts'
import { abbreviateIds, clip } from './markup.ts'
import { formatFlags, formatMs } from './report.ts'
import { toTimeline, type TimelineEntry } from './timeline.ts'
import { toPrintable } from '../../sandbox/internal.ts'
import { describeEffects, formatEffectCount } from '../toolkit/expectations.ts'

/** What is shown of a sequence, and of a body; the files have it whole. */
const MOST_EVENTS = 16
const MOST_CHARACTERS = 480
const MOST_HEADERS = 6

/** How wide the labels before the rows of a check are. */
export const LABEL = 11
const MARGIN = LABEL + 2

/** What happened, then the one exchange that shows best what went wrong. */
export function evidenceLines(result: CheckResult, screen: Screen): readonly string[] {
  const excerpt = selectExcerpt(result, MOST_EVENTS)
  return [...eventLines(excerpt, screen), ...exchangeLines(excerpt, screen)]
}

/** A line for each event, in the order of cause; nothing where one exchange says it all. */
function eventLines({ events, isPart, hasEarlier }: Excerpt, screen: Screen): readonly string[] {
  if (events.length < 2) return []
  const more = (text: string) => screen.paint('dim', `             … ${text}`)
  return [
    '  What happened',
    ...(hasEarlier ? [more('earlier deliveries and effects are in --html and --report-json')] : []),
    ...toTimeline(events).map((entry) => eventLine(entry, screen)),
    ...(isPart && !hasEarlier ? [more('what happened to other objects is in --html and --report-json')] : []),
    '',
  ]
}

/** What came of it has a place of its own, however long it took. */
const OUTCOME_ROOM = 19

export function eventLine(entry: TimelineEntry, { paint, width }: Screen): string {
  const at = paint('dim', `  ${formatMs(entry.atMs).padStart(9)}  `)
  const [mark, what, outcome] = describeEntry(entry)
  const text = toPrintable(abbreviateIds(what))
  if (outcome === '') return `${at}${mark} ${clip(text, width - 15)}`
  const room = width - 16 - OUTCOME_ROOM
  const isBad = (entry.kind === 'sent' || entry.kind === 'answered') && entry.exchange.reason !== null
  return `${at}${mark} ${clip(text, room).padEnd(room)} ${paint(isBad ? 'red' : 'dim', outcome)}`
}

function describeEntry(entry: TimelineEntry): readonly [mark: string, what: string, outcome: string] {
  switch (entry.kind) {
    case 'sent':
      return ['→', entry.exchange.label, entry.hasAnswer ? describeAnswer(entry.exchange) : '']
    case 'answered':
      return ['⇠', `answer to ${entry.exchange.label}`, describeAnswer(entry.exchange)]
    case 'called': {
      const { method, path, status, took_ms } = entry.request
      return [
        '←',
        `${method} ${path}`,
        `${status ?? 'cut'}${took_ms === null ? '' : ` in ${formatMs(took_ms)}`}`,
      ]
    }
    case 'effects':
      return ['●', `${entry.target.type} ${entry.target.id}: ${effectText(entry.seen)}`, '']
    case 'world':
      return ['·', entry.text, '']
    default:
      return entry satisfies never
  }
}

function describeAnswer({ status, reason, tookMs }: Exchange): string {
  const took = ` in ${formatMs(tookMs)}`
  return `${status ?? clip(toPrintable(reason ?? 'no answer'), OUTCOME_ROOM - took.length)}${took}`
}

function effectText({ effects, state }: EffectState): string {
  return state === null ? formatEffectCount(effects) : `${formatEffectCount(effects)}, state ${state}`
}

/** The request, its answer, and the effects before and after. */
function exchangeLines(excerpt: Excerpt, { paint, width }: Screen): readonly string[] {
  if (!excerpt.deciding) return []
  const sent = excerpt.deciding.exchange
  const { before, after } = effectsAround(excerpt)
  const rows = (name: string, lines: readonly string[]) =>
    lines.map((line, index) =>
      index === 0 ? `  ${paint('dim', name.padEnd(LABEL))}${line.trimStart()}` : line,
    )
  const { request, response } = sent
  const answer = response
    ? [
        ...wrapText(`${response.status} in ${formatMs(sent.tookMs)}${formatFlags(sent)}`, MARGIN, width),
        ...headerLines(response.headers.filter(isTelling), width),
        ...bodyLines(response.body, width),
      ]
    : wrapText(`none: ${sent.message}${formatFlags(sent)}`, MARGIN, width)
  return [
    ...rows('Request', [
      ...wrapText(`${request.method} ${request.url}`, MARGIN, width),
      ...headerLines(request.headers, width),
      ...bodyLines(request.body, width),
    ]),
    ...rows('Answer', answer),
    ...(after ? rows('Effect', effectLines(before, after, width)) : []),
    '',
  ]
}

type Effects = Extract<RunEvent, { readonly kind: 'effects' }>

function effectLines(before: Effects | undefined, { seen }: Effects, width: number): readonly string[] {
  const earlier = before ? wrapText(`before: ${describeEffects(before.seen)}`, MARGIN, width) : []
  return [...earlier, ...wrapText(`after:  ${describeEffects(seen)}`, MARGIN, width)]
}

/** Headers that every server sets. */
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
    .flatMap(([name, value]) => chopText(truncate(`${name}: ${value}`, 160), MARGIN, width))
  const more = headers.length - MOST_HEADERS
  return more > 0 ? [...lines, `${' '.repeat(MARGIN)}… ${more} more headers`] : lines
}

function bodyLines(body: string, width: number): readonly string[] {
  return body === '' ? [] : chopText(truncate(body, MOST_CHARACTERS), MARGIN, width)
}
