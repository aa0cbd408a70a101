import { isSuccess } from '../../spec/delivery.ts'
import { abbreviateIds, clip } from './columns.ts'
import { escapeHtml } from './escape.ts'
import { describeEntry, toTimeline, type EntryText, type ShownEvent, type TimelineEntry } from './events.ts'
import type { Excerpt } from './excerpt.ts'
import { formatMs } from './report.ts'

/** Times are labels without a scale, so that two runs look alike. */
const WIDTH = 900
const LANES = { service: 150, receiver: 500, effects: 690 } as const
const TOP = 58
const TALL = 52
const LOW = 34

function heightOf({ event: { kind }, part }: TimelineEntry): number {
  return kind === 'called' || (kind === 'sent' && part === 'whole') ? TALL : LOW
}

export function timelineSvg({ events, isPart, hasEarlier }: Excerpt, name: string): string {
  const entries = toTimeline(events)
  let y = TOP
  const drawn = entries.map((entry) => {
    const markup = entrySvg(entry, y)
    y += heightOf(entry)
    return markup
  })
  const bottom = y + 4
  const more = hasEarlier ? '… earlier deliveries, below' : '… and more, below'
  const height = bottom + (isPart ? 24 : 8)
  const id = escapeHtml(`timeline/${name}`)
  return [
    `<svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="${id}/title ${id}/desc">`,
    `<title id="${id}/title">${escapeHtml(`What happened in ${name}`)}</title>`,
    `<desc id="${id}/desc">${escapeHtml(entries.map(describeInWords).join('; '))}</desc>`,
    ...Object.entries(LANES).map(([lane, x]) => laneSvg(lane, x, bottom)),
    ...drawn,
    isPart ? textSvg(LANES.service + 12, bottom + 12, { text: more, look: 'faint' }) : '',
    '</svg>',
  ].join('\n')
}

const ACTORS: Readonly<Record<string, string>> = { '→': 'the service sends ', '←': 'the receiver calls ' }

/** Describes an entry for screen readers. */
function describeInWords(entry: TimelineEntry): string {
  const { mark, text, outcome } = describeEntry(entry)
  const end = outcome === '' ? '' : `, answered ${outcome}`
  return `after ${formatMs(entry.atMs)} ${ACTORS[mark] ?? ''}${abbreviateIds(text)}${end}`
}

function laneSvg(name: string, x: number, bottom: number): string {
  return [
    `<line class="lane" x1="${x}" y1="40" x2="${x}" y2="${bottom}"/>`,
    `<rect class="head" x="${x - 52}" y="12" width="104" height="26" rx="13"/>`,
    `<text class="lane-name" x="${x}" y="29" text-anchor="middle">${name}</text>`,
  ].join('')
}

function entrySvg(entry: TimelineEntry, y: number): string {
  const { event, part, atMs } = entry
  const words = describeEntry(entry)
  const time = textSvg(8, y + 18, { text: formatMs(atMs), look: 'faint' })
  switch (event.kind) {
    case 'sent': {
      const { status } = event.exchange
      if (part === 'answer') {
        const label = textSvg(LANES.service + 12, y + 16, { text: clip(words.text, 40), look: 'faint' })
        return time + answerSvg(words, status, y) + label
      }
      return time + sentSvg(words, y) + (part === 'whole' ? answerSvg(words, status, y + 18) : '')
    }
    case 'called':
      return time + calledSvg(words, event.request.status, y)
    case 'effects':
      return time + effectsSvg(event, words, y)
    case 'world':
      return time + worldSvg(words, y)
    default:
      return event satisfies never
  }
}

function sentSvg({ text }: EntryText, y: number): string {
  return [
    textSvg(LANES.service + 12, y + 13, { text: clip(text, 44), look: 'label' }),
    arrowSvg({ from: LANES.service, to: LANES.receiver, y: y + 20, look: 'out' }),
  ].join('')
}

function answerSvg({ outcome }: EntryText, status: number | null, y: number): string {
  const look = status !== null && isSuccess(status) ? 'good' : 'bad'
  return [
    status === null
      ? crossSvg(LANES.receiver - 8, y + 20)
      : arrowSvg({ from: LANES.receiver, to: LANES.service, y: y + 20, look: `back ${look}` }),
    textSvg(LANES.receiver - 18, y + 16, { text: outcome, look: `${look} end` }),
  ].join('')
}

function calledSvg({ text, outcome }: EntryText, status: number | null, y: number): string {
  const look = status !== null && status < 400 ? 'good' : 'bad'
  return [
    textSvg(LANES.receiver - 18, y + 13, { text: clip(abbreviateIds(text), 42), look: 'label end' }),
    arrowSvg({ from: LANES.receiver, to: LANES.service, y: y + 20, look: 'call' }),
    arrowSvg({ from: LANES.service, to: LANES.receiver, y: y + 38, look: `back ${look}` }),
    textSvg(LANES.service + 12, y + 34, { text: outcome, look }),
  ].join('')
}

type EffectsEvent = Extract<ShownEvent, { readonly kind: 'effects' }>

function effectsSvg({ seen }: EffectsEvent, { text }: EntryText, y: number): string {
  const [target = '', effects = ''] = text.split(': ')
  return [
    `<line class="reads" x1="${LANES.receiver}" y1="${y + 14}" x2="${LANES.effects - 7}" y2="${y + 14}"/>`,
    `<circle class="effect effect-${Math.min(2, Math.max(0, seen.effects))}" cx="${LANES.effects}" cy="${y + 14}" r="7"><title>${escapeHtml(target)}</title></circle>`,
    textSvg(LANES.effects + 16, y + 18, { text: clip(effects, 25), look: 'label' }),
  ].join('')
}

function worldSvg({ text }: EntryText, y: number): string {
  return [
    `<circle class="world" cx="${LANES.service}" cy="${y + 14}" r="4"/>`,
    textSvg(LANES.service + 12, y + 18, { text: clip(abbreviateIds(text), 90), look: 'faint' }),
  ].join('')
}

function textSvg(
  x: number,
  y: number,
  { text, look }: { readonly text: string; readonly look: string },
): string {
  return `<text class="${look}" x="${x}" y="${y}">${escapeHtml(text)}</text>`
}

interface Arrow {
  readonly from: number
  readonly to: number
  readonly y: number
  readonly look: string
}

function arrowSvg({ from, to, y, look }: Arrow): string {
  const back = from < to ? -1 : 1
  const tip = to + back * 2
  return `<g class="arrow ${look}"><line x1="${from}" y1="${y}" x2="${tip + back * 6}" y2="${y}"/><path d="M${tip} ${y}l${back * 8} -4v8z"/></g>`
}

function crossSvg(x: number, y: number): string {
  return `<path class="cross" d="M${x - 5} ${y - 5}l10 10m0 -10l-10 10"/>`
}
