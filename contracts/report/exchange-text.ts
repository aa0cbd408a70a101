import type { EffectState } from '../toolkit/effects.ts'
import type { CheckResult, RunEvent } from '../run/run-result.ts'
import { chopText, wrapText, truncate, WIDTH, type Paint } from './columns.ts'
import { effectsAround, selectExcerpt, type Excerpt } from './excerpt.ts'
import { abbreviateIds, clip } from './markup.ts'
import { formatMs, redactHeaders } from './report.ts'
import { toPrintable } from '../../sandbox/internal.ts'
import { describeEffects, formatEffectCount } from '../toolkit/expectations.ts'

/** What is shown of a sequence, and of a body; the files have it whole. */
const MOST_EVENTS = 16
const MOST_CHARACTERS = 480
const MOST_HEADERS = 6

/** How wide the labels before the rows of a check are. */
export const LABEL = 11

/** What happened, then the one exchange that shows best what went wrong. */
export function evidenceLines(result: CheckResult, paint: Paint): readonly string[] {
  const excerpt = selectExcerpt(result, MOST_EVENTS)
  return [
    ...eventLines(excerpt, paint),
    ...exchangeLines(excerpt, (label) => paint('dim', label.padEnd(LABEL))),
  ]
}

/** A line for each event, oldest first; nothing where one exchange says it all. */
function eventLines({ events, isPart }: Excerpt, paint: Paint): readonly string[] {
  if (events.length < 2) return []
  const rest = isPart ? [paint('dim', '             … and more, in the other reports')] : []
  return ['  What happened', ...events.map((event) => eventLine(event, paint)), ...rest, '']
}

/** What came of it has a place of its own, however long it took. */
const ROOM = 66

function eventLine(event: RunEvent, paint: Paint): string {
  const at = paint('dim', `  ${formatMs(event.atMs).padStart(9)}  `)
  const [mark, what, outcome] = describeEvent(event)
  const text = toPrintable(abbreviateIds(what))
  if (outcome === '') return `${at}${mark} ${clip(text, WIDTH - 15)}`
  const isBad = event.kind === 'sent' && event.exchange.reason !== null
  return `${at}${mark} ${clip(text, ROOM).padEnd(ROOM)} ${paint(isBad ? 'red' : 'dim', outcome)}`
}

function describeEvent(event: RunEvent): readonly [mark: string, what: string, outcome: string] {
  switch (event.kind) {
    case 'sent': {
      const { label, status, reason, tookMs } = event.exchange
      return ['→', label, `${status ?? clip(toPrintable(reason ?? 'no answer'), 24)} in ${formatMs(tookMs)}`]
    }
    case 'called': {
      const { method, path, status, took_ms } = event.request
      return [
        '←',
        `${method} ${path}`,
        `${status ?? 'cut'}${took_ms === null ? '' : ` in ${formatMs(took_ms)}`}`,
      ]
    }
    case 'effects':
      return ['●', `${event.target.type} ${event.target.id}: ${effectText(event.seen)}`, '']
    case 'world':
      return ['·', event.text, '']
    default:
      return event satisfies never
  }
}

function effectText({ effects, state }: EffectState): string {
  return state === null ? formatEffectCount(effects) : `${formatEffectCount(effects)}, state ${state}`
}

/** The request, its answer, and the effects before and after; `label` is put before each. */
function exchangeLines(excerpt: Excerpt, label: (text: string) => string): readonly string[] {
  if (!excerpt.deciding) return []
  const sent = excerpt.deciding.exchange
  const { before, after } = effectsAround(excerpt)
  const rows = (name: string, lines: readonly string[]) =>
    lines.map((line, index) => (index === 0 ? `  ${label(name)}${line.trimStart()}` : line))
  const { request, response } = sent
  const answer = response
    ? [
        `${response.status} in ${formatMs(sent.tookMs)}`,
        ...headerLines(response.headers),
        ...bodyLines(response.body),
      ]
    : wrapText(`none: ${sent.message}`, MARGIN)
  return [
    ...rows('Request', [
      ...wrapText(`${request.method} ${request.url}`, MARGIN),
      ...headerLines(redactHeaders(sent)),
      ...bodyLines(request.body),
    ]),
    ...rows('Answer', answer),
    ...(after ? rows('Effect', effectLines(before, after)) : []),
    '',
  ]
}

const MARGIN = 13

type Effects = Extract<RunEvent, { readonly kind: 'effects' }>

function effectLines(before: Effects | undefined, { seen }: Effects): readonly string[] {
  const earlier = before ? wrapText(`before: ${describeEffects(before.seen)}`, MARGIN) : []
  return [...earlier, ...wrapText(`after:  ${describeEffects(seen)}`, MARGIN)]
}

function headerLines(headers: readonly (readonly [name: string, value: string])[]): readonly string[] {
  const lines = headers
    .slice(0, MOST_HEADERS)
    .flatMap(([name, value]) => chopText(truncate(`${name}: ${value}`, 160), MARGIN))
  const more = headers.length - MOST_HEADERS
  return more > 0 ? [...lines, `${' '.repeat(MARGIN)}… ${more} more headers`] : lines
}

function bodyLines(body: string): readonly string[] {
  return body === '' ? [] : chopText(truncate(body, MOST_CHARACTERS), MARGIN)
}
