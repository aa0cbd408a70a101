import { isSuccess } from '../../spec/delivery.ts'
import type { Exchange } from '../finding.ts'
import type { RunEvent } from '../run/run-result.ts'
import { abbreviateIds, clip, escapeHtml } from './markup.ts'
import { formatMs } from './report.ts'
import type { Excerpt } from './excerpt.ts'
import { formatEffectCount } from '../toolkit/expectations.ts'
import { labelOf, toTimeline, type TimelineEntry } from './timeline.ts'

/** Where the lanes stand, and how high an event is; times are written, not drawn to scale, so that two runs look alike. */
const WIDTH = 900
const LANES = { service: 150, receiver: 500, effects: 690 } as const
const TOP = 58
const TALL = 52
const LOW = 34

function heightOf(entry: TimelineEntry): number {
  return entry.kind === 'called' || (entry.kind === 'sent' && entry.hasAnswer) ? TALL : LOW
}

/** The deliveries, the calls back and the effects, from top to bottom in the order of cause; `name` is the check's. */
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
    `<desc id="${id}/desc">${escapeHtml(entries.map(describeEntry).join('; '))}</desc>`,
    ...Object.entries(LANES).map(([lane, x]) => laneSvg(lane, x, bottom)),
    ...drawn,
    isPart ? textSvg(LANES.service + 12, bottom + 12, { text: more, look: 'faint' }) : '',
    '</svg>',
  ].join('\n')
}

/** The same for who cannot see it. */
function describeEntry(entry: TimelineEntry): string {
  const at = `after ${formatMs(entry.atMs)}`
  switch (entry.kind) {
    case 'sent':
      return `${at} the service sends ${labelOf(entry)}${entry.hasAnswer ? `, answered ${answerText(entry.exchange)}` : ''}`
    case 'answered':
      return `${at} ${labelOf(entry)} is answered ${answerText(entry.exchange)}`
    case 'called':
      return `${at} the receiver calls ${entry.request.method} ${abbreviateIds(entry.request.path)}, answered ${callAnswerText(entry.request)}`
    case 'effects':
      return `${at} ${entry.target.type} ${abbreviateIds(entry.target.id)} has ${effectsText(entry)}`
    case 'world':
      return `${at} ${abbreviateIds(entry.text)}`
    default:
      return entry satisfies never
  }
}

function answerText({ status, reason, tookMs }: Exchange): string {
  return `${status ?? clip(reason ?? 'no answer', 20)} in ${formatMs(tookMs)}`
}

type Call = Extract<RunEvent, { readonly kind: 'called' }>['request']

function callAnswerText({ status, took_ms }: Call): string {
  return `${status ?? 'cut'}${took_ms === null ? '' : ` in ${formatMs(took_ms)}`}`
}

function effectsText({ seen }: Extract<RunEvent, { readonly kind: 'effects' }>): string {
  return `${formatEffectCount(seen.effects)}${seen.state === null ? '' : `, ${seen.state}`}`
}

function laneSvg(name: string, x: number, bottom: number): string {
  return [
    `<line class="lane" x1="${x}" y1="40" x2="${x}" y2="${bottom}"/>`,
    `<rect class="head" x="${x - 52}" y="12" width="104" height="26" rx="13"/>`,
    `<text class="lane-name" x="${x}" y="29" text-anchor="middle">${name}</text>`,
  ].join('')
}

function entrySvg(entry: TimelineEntry, y: number): string {
  const time = textSvg(8, y + 18, { text: formatMs(entry.atMs), look: 'faint' })
  switch (entry.kind) {
    case 'sent':
      return time + sentSvg(entry, y) + (entry.hasAnswer ? answerSvg(entry.exchange, y + 18) : '')
    case 'answered':
      return time + answerSvg(entry.exchange, y) + lateAnswerSvg(labelOf(entry), y)
    case 'called':
      return time + calledSvg(entry.request, y)
    case 'effects':
      return time + effectsSvg(entry, y)
    case 'world':
      return time + worldSvg(entry.text, y)
    default:
      return entry satisfies never
  }
}

function sentSvg(entry: Parameters<typeof labelOf>[0], y: number): string {
  return [
    textSvg(LANES.service + 12, y + 13, { text: clip(labelOf(entry), 44), look: 'label' }),
    arrowSvg({ from: LANES.service, to: LANES.receiver, y: y + 20, look: 'out' }),
  ].join('')
}

function answerSvg(exchange: Exchange, y: number): string {
  const { status } = exchange
  const look = status !== null && isSuccess(status) ? 'good' : 'bad'
  return [
    status === null
      ? crossSvg(LANES.receiver - 8, y + 20)
      : arrowSvg({ from: LANES.receiver, to: LANES.service, y: y + 20, look: `back ${look}` }),
    textSvg(LANES.receiver - 18, y + 16, { text: answerText(exchange), look: `${look} end` }),
  ].join('')
}

/** Which delivery it is the answer to, where others came between. */
function lateAnswerSvg(label: string, y: number): string {
  return textSvg(LANES.service + 12, y + 16, { text: clip(label, 30), look: 'faint' })
}

function calledSvg(call: Call, y: number): string {
  const { method, path, status } = call
  const look = status !== null && status < 400 ? 'good' : 'bad'
  return [
    textSvg(LANES.receiver - 18, y + 13, {
      text: clip(`${method} ${abbreviateIds(path)}`, 42),
      look: 'label end',
    }),
    arrowSvg({ from: LANES.receiver, to: LANES.service, y: y + 20, look: 'call' }),
    arrowSvg({ from: LANES.service, to: LANES.receiver, y: y + 38, look: `back ${look}` }),
    textSvg(LANES.service + 12, y + 34, { text: callAnswerText(call), look }),
  ].join('')
}

function effectsSvg(event: Extract<RunEvent, { readonly kind: 'effects' }>, y: number): string {
  const { target, seen } = event
  const about = `<title>${escapeHtml(`${target.type} ${target.id}`)}</title>`
  return [
    `<line class="reads" x1="${LANES.receiver}" y1="${y + 14}" x2="${LANES.effects - 7}" y2="${y + 14}"/>`,
    `<circle class="effect effect-${Math.min(2, Math.max(0, seen.effects))}" cx="${LANES.effects}" cy="${y + 14}" r="7">${about}</circle>`,
    textSvg(LANES.effects + 16, y + 18, { text: clip(effectsText(event), 25), look: 'label' }),
  ].join('')
}

function worldSvg(text: string, y: number): string {
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
