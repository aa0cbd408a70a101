import { counted, sentence } from '../toolkit/judge.ts'
import type { EffectState } from '../toolkit/effects.ts'
import type { CheckResult, Moment } from '../run/run-result.ts'
import { chopped, folded, shortened, WIDTH, type Paint } from './columns.ts'
import { effectsAround, headersOf } from './decisive.ts'
import { storyOf, type Story } from './story.ts'
import { briefly, clipped } from './markup.ts'
import { took } from './report.ts'
import { printable } from '../../sandbox/internal.ts'

/** What is shown of a sequence, and of a body; the files have it whole. */
const MOST_MOMENTS = 16
const MOST_CHARACTERS = 480
const MOST_HEADERS = 6

/** How wide the labels before the rows of a check are. */
export const LABEL = 11

/** What happened, then the one exchange that shows best what went wrong. */
export function evidenceLines(result: CheckResult, paint: Paint): readonly string[] {
  const story = storyOf(result, MOST_MOMENTS)
  return [...momentLines(story, paint), ...exchangeLines(story, (label) => paint('dim', label.padEnd(LABEL)))]
}

/** A line for each moment, oldest first; nothing where one exchange says it all. */
function momentLines({ moments, isPart }: Story, paint: Paint): readonly string[] {
  if (moments.length < 2) return []
  const rest = isPart ? [paint('dim', '             … and more, in the other reports')] : []
  return ['  What happened', ...moments.map((moment) => momentLine(moment, paint)), ...rest, '']
}

/** What came of it has a place of its own, however long it took. */
const ROOM = 66

function momentLine(moment: Moment, paint: Paint): string {
  const at = paint('dim', `  ${took(moment.atMs).padStart(9)}  `)
  const [mark, what, outcome] = toldOf(moment)
  const text = printable(briefly(what))
  if (outcome === '') return `${at}${mark} ${clipped(text, WIDTH - 15)}`
  const isBad = moment.kind === 'sent' && moment.sent.reason !== null
  return `${at}${mark} ${clipped(text, ROOM).padEnd(ROOM)} ${paint(isBad ? 'red' : 'dim', outcome)}`
}

function toldOf(moment: Moment): readonly [mark: string, what: string, outcome: string] {
  switch (moment.kind) {
    case 'sent': {
      const { label, status, reason, tookMs } = moment.sent
      return ['→', label, `${status ?? clipped(printable(reason ?? 'no answer'), 24)} in ${took(tookMs)}`]
    }
    case 'called': {
      const { method, path, status, took_ms } = moment.request
      return ['←', `${method} ${path}`, `${status ?? 'cut'}${took_ms === null ? '' : ` in ${took(took_ms)}`}`]
    }
    case 'effects':
      return ['●', `${moment.target.type} ${moment.target.id}: ${seenText(moment.seen)}`, '']
    case 'world':
      return ['·', moment.text, '']
    default:
      return moment satisfies never
  }
}

function seenText({ effects, state }: EffectState): string {
  return state === null ? counted(effects) : `${counted(effects)}, state ${state}`
}

/** The request, its answer, and the effects before and after; `label` is put before each. */
function exchangeLines(story: Story, label: (text: string) => string): readonly string[] {
  if (!story.turn) return []
  const { sent } = story.turn
  const { before, after } = effectsAround(story)
  const rows = (name: string, lines: readonly string[]) =>
    lines.map((line, index) => (index === 0 ? `  ${label(name)}${line.trimStart()}` : line))
  const { request, response } = sent
  const answer = response
    ? [
        `${response.status} in ${took(sent.tookMs)}`,
        ...headerLines(response.headers),
        ...bodyLines(response.body),
      ]
    : folded(`none: ${sent.message}`, MARGIN)
  return [
    ...rows('Request', [
      ...folded(`${request.method} ${request.url}`, MARGIN),
      ...headerLines(headersOf(sent)),
      ...bodyLines(request.body),
    ]),
    ...rows('Answer', answer),
    ...(after ? rows('Effect', effectLines(before, after)) : []),
    '',
  ]
}

const MARGIN = 13

type Effects = Extract<Moment, { readonly kind: 'effects' }>

function effectLines(before: Effects | undefined, { seen }: Effects): readonly string[] {
  const earlier = before ? folded(`before: ${sentence(before.seen)}`, MARGIN) : []
  return [...earlier, ...folded(`after:  ${sentence(seen)}`, MARGIN)]
}

function headerLines(headers: readonly (readonly [name: string, value: string])[]): readonly string[] {
  const lines = headers
    .slice(0, MOST_HEADERS)
    .flatMap(([name, value]) => chopped(shortened(`${name}: ${value}`, 160), MARGIN))
  const more = headers.length - MOST_HEADERS
  return more > 0 ? [...lines, `${' '.repeat(MARGIN)}… ${more} more headers`] : lines
}

function bodyLines(body: string): readonly string[] {
  return body === '' ? [] : chopped(shortened(body, MOST_CHARACTERS), MARGIN)
}
