import { isSuccess } from '../../spec/delivery.ts'
import type { RunEvent } from '../run/run-result.ts'
import { abbreviateIds, clip, escapeHtml } from './markup.ts'
import { formatMs } from './report.ts'
import type { Excerpt } from './excerpt.ts'
import { formatEffectCount } from '../toolkit/expectations.ts'

/** Where the lanes stand, and how high an event is; times are written, not drawn to scale, so that two runs look alike. */
const WIDTH = 900
const LANES = { service: 150, receiver: 500, effects: 690 } as const
const TOP = 58
const HEIGHTS: { readonly [Kind in RunEvent['kind']]: number } = {
  sent: 52,
  called: 52,
  effects: 34,
  world: 34,
}

/** The deliveries, the calls back and the effects, from top to bottom in the order in which they happened. */
export function timelineSvg({ events, isPart }: Excerpt, title: string): string {
  let y = TOP
  const drawn = events.map((event) => {
    const markup = eventSvg(event, y)
    y += HEIGHTS[event.kind]
    return markup
  })
  const bottom = y + 4
  const more = isPart
    ? textSvg(LANES.service + 12, bottom + 12, { text: '… and more, below', look: 'faint' })
    : ''
  const height = bottom + (isPart ? 24 : 8)
  return [
    `<svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeHtml(title)}">`,
    ...Object.entries(LANES).map(([name, x]) => laneSvg(name, x, bottom)),
    ...drawn,
    more,
    '</svg>',
  ].join('\n')
}

function laneSvg(name: string, x: number, bottom: number): string {
  return [
    `<line class="lane" x1="${x}" y1="40" x2="${x}" y2="${bottom}"/>`,
    `<rect class="head" x="${x - 52}" y="12" width="104" height="26" rx="13"/>`,
    `<text class="lane-name" x="${x}" y="29" text-anchor="middle">${name}</text>`,
  ].join('')
}

function eventSvg(event: RunEvent, y: number): string {
  const time = textSvg(8, y + 18, { text: formatMs(event.atMs), look: 'faint' })
  switch (event.kind) {
    case 'sent':
      return time + sentSvg(event.exchange, y)
    case 'called':
      return time + calledSvg(event.request, y)
    case 'effects':
      return time + effectsSvg(event, y)
    case 'world':
      return time + worldSvg(event.text, y)
    default:
      return event satisfies never
  }
}

function sentSvg(
  { label, status, reason, tookMs }: Extract<RunEvent, { readonly kind: 'sent' }>['exchange'],
  y: number,
): string {
  const isGood = status !== null && isSuccess(status)
  const look = isGood ? 'good' : 'bad'
  const answer = `${status ?? clip(reason ?? 'no answer', 20)} in ${formatMs(tookMs)}`
  return [
    textSvg(LANES.service + 12, y + 13, { text: clip(label, 44), look: 'label' }),
    arrowSvg({ from: LANES.service, to: LANES.receiver, y: y + 20, look: 'out' }),
    status === null
      ? crossSvg(LANES.receiver - 8, y + 38)
      : arrowSvg({ from: LANES.receiver, to: LANES.service, y: y + 38, look: `back ${look}` }),
    textSvg(LANES.receiver - 18, y + 34, { text: answer, look: `${look} end` }),
  ].join('')
}

function calledSvg(
  { method, path, status, took_ms }: Extract<RunEvent, { readonly kind: 'called' }>['request'],
  y: number,
): string {
  const look = status !== null && status < 400 ? 'good' : 'bad'
  const answer = `${status ?? 'cut'}${took_ms === null ? '' : ` in ${formatMs(took_ms)}`}`
  return [
    textSvg(LANES.receiver - 18, y + 13, {
      text: clip(`${method} ${abbreviateIds(path)}`, 42),
      look: 'label end',
    }),
    arrowSvg({ from: LANES.receiver, to: LANES.service, y: y + 20, look: 'call' }),
    arrowSvg({ from: LANES.service, to: LANES.receiver, y: y + 38, look: `back ${look}` }),
    textSvg(LANES.service + 12, y + 34, { text: answer, look }),
  ].join('')
}

function effectsSvg({ target, seen }: Extract<RunEvent, { readonly kind: 'effects' }>, y: number): string {
  const text = `${formatEffectCount(seen.effects)}${seen.state === null ? '' : `, ${seen.state}`}`
  const about = `<title>${escapeHtml(`${target.type} ${target.id}`)}</title>`
  return [
    `<line class="reads" x1="${LANES.receiver}" y1="${y + 14}" x2="${LANES.effects - 7}" y2="${y + 14}"/>`,
    `<circle class="effect effect-${Math.min(2, Math.max(0, seen.effects))}" cx="${LANES.effects}" cy="${y + 14}" r="7">${about}</circle>`,
    textSvg(LANES.effects + 16, y + 18, { text: clip(text, 25), look: 'label' }),
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
