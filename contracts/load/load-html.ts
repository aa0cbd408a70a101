import { headlineOfLoad } from './conclusion.ts'
import type { LoadResult } from './load-result.ts'
import { listDifferences, loadFacts } from './load-text.ts'
import type { Interval } from './measurements.ts'
import type { LoadDemands } from './sender-limits.ts'
import { escapeHtml } from '../report/escape.ts'
import { pageHtml } from '../report/html-page.ts'
import { formatRound } from '../report/report.ts'

/** Writes one page without network or scripts. */
export function loadHtml(result: LoadResult, demands: LoadDemands): string {
  const parts = [
    `<p class="about"><code>${escapeHtml(result.receiver)}</code> · ${escapeHtml(result.startedAt)}</p>`,
    ...(result.unreached === null
      ? [chartsHtml(result), factsHtml(result), answersHtml(result), booksHtml(result)]
      : []),
  ]
  return pageHtml(headlineOfLoad(result, demands), parts)
}

function chartsHtml({ measurements: { intervals } }: LoadResult): string {
  const timesMs = intervals.map(({ fromMs, toMs }) => (fromMs + toMs) / 2)
  const perSecond = (count: (interval: Interval) => number) =>
    intervals.map((each) => (count(each) * 1_000) / (each.toMs - each.fromMs))
  const latency = (name: 'p50' | 'p90' | 'p99' | 'max'): Series => ({
    name: name === 'max' ? 'the longest' : name,
    look: name,
    values: intervals.map((each) => each.latency[name]),
  })
  const rates = chartHtml({
    id: 'rates',
    title: 'Notifications a second',
    timesMs,
    series: [
      { name: 'due', look: 'offered', values: perSecond(({ offered }) => offered) },
      { name: 'accepted', look: 'accepted', values: perSecond(({ accepted }) => accepted) },
      {
        name: 'answered otherwise',
        look: 'refused',
        values: perSecond(({ answered, accepted }) => answered - accepted),
      },
    ],
    scale: 'linear',
    format: (value) => String(Math.round(value * 10) / 10),
  })
  const latencies = chartHtml({
    id: 'latency',
    title: 'From when each was due to its answer',
    timesMs,
    series: (['p50', 'p90', 'p99', 'max'] as const).map(latency),
    scale: 'log',
    format: formatRound,
  })
  return `${rates}\n${latencies}`
}

function factsHtml(result: LoadResult): string {
  const rows = loadFacts(result).map(
    ([name, text]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(text)}</td></tr>`,
  )
  return `<h2>What was measured</h2><table><tbody>${rows.join('')}</tbody></table>`
}

function answersHtml({ measurements: { statuses, reasons } }: LoadResult): string {
  const rows = [...Object.entries(statuses), ...Object.entries(reasons)]
    .toSorted(([, a], [, b]) => b - a)
    .map(
      ([what, count]) => `<tr><th scope="row">${escapeHtml(what)}</th><td class="number">${count}</td></tr>`,
    )
  return rows.length === 0 ? '' : `<h2>Answers</h2><table><tbody>${rows.join('')}</tbody></table>`
}

const MOST_DIFFERENCES = 200

function booksHtml(result: LoadResult): string {
  const differences = listDifferences(result)
  if (differences.length === 0) return ''
  const rows = differences.slice(0, MOST_DIFFERENCES).map(({ entry, difference }) => {
    const { type, id } = entry
    const { expected, actual } = difference
    return `<tr><td><code>${escapeHtml(`${type} ${id}`)}</code></td><td>${escapeHtml(expected)}</td><td>${escapeHtml(actual)}</td></tr>`
  })
  const more = differences.length - rows.length
  return [
    '<h2>Other than the service says</h2>',
    '<table><thead><tr><th>object</th><th>the service</th><th>your platform</th></tr></thead>',
    `<tbody>${rows.join('')}</tbody></table>`,
    more > 0 ? `<p class="about">and ${more} more</p>` : '',
  ].join('\n')
}

/** One line of a chart. Null values are gaps. */
export interface Series {
  readonly name: string
  /** The CSS class for its colour. */
  readonly look: string
  readonly values: readonly (number | null)[]
}

export interface Chart {
  readonly id: string
  readonly title: string
  /** The time of each value in milliseconds. */
  readonly timesMs: readonly number[]
  readonly series: readonly Series[]
  /** Durations need `log`, because they differ a thousandfold. */
  readonly scale: 'linear' | 'log'
  readonly format: (value: number) => string
}

const [WIDTH, HEIGHT] = [900, 240]
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 16, 14, 30]

/** Writes the chart as SVG with a legend. */
function chartHtml(chart: Chart): string {
  const { id, title, series, timesMs } = chart
  const y = createScale(chart)
  const end = Math.max(1, ...timesMs)
  const x = (ms: number) => LEFT + ((WIDTH - LEFT - RIGHT) * ms) / end
  const lines = series.map(
    ({ look, values }) =>
      `<path class="series ${escapeHtml(look)}" d="${pathOf(values, timesMs, { x, y: y.place })}"/>`,
  )
  const described = series
    .map(({ name, values }) => `${name} up to ${chart.format(largest(values))}`)
    .join('; ')
  return [
    `<figure class="chart" tabindex="0"><figcaption>${escapeHtml(title)}</figcaption>`,
    `<ul class="legend">${series.map(({ name, look }) => `<li class="${escapeHtml(look)}">${escapeHtml(name)}</li>`).join('')}</ul>`,
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-desc">`,
    `<title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-desc">${escapeHtml(described)}</desc>`,
    ...y.ticks.map((value) => tickSvg(y.place(value), chart.format(value))),
    ...timeTicks(end).map((ms) => timeSvg(x(ms), ms)),
    ...lines,
    '</svg></figure>',
  ].join('\n')
}

function createScale({ series, scale }: Chart) {
  const values = series.flatMap((each) => each.values).filter((value) => value !== null)
  const most = Math.max(1, ...values)
  const room = HEIGHT - TOP - BOTTOM
  if (scale === 'linear') {
    const step = niceStep(most / 4)
    const top = Math.ceil(most / step) * step
    return {
      place: (value: number) => TOP + room * (1 - value / top),
      ticks: Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step),
    }
  }
  const least = Math.min(...values.filter((value) => value > 0), most)
  const low = Math.floor(Math.log10(least))
  const high = Math.max(low + 1, Math.ceil(Math.log10(most)))
  return {
    place: (value: number) =>
      TOP + room * (1 - (Math.max(low, Math.log10(Math.max(value, 1e-9))) - low) / (high - low)),
    ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
  }
}

/** Returns 1, 2 or 5 times a power of ten, at least this much. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10)
}

interface Places {
  readonly x: (ms: number) => number
  readonly y: (value: number) => number
}

/** Null values break the path. A single value becomes a short line. */
function pathOf(values: readonly (number | null)[], timesMs: readonly number[], { x, y }: Places): string {
  let isOpen = false
  return values
    .map((value, index) => {
      if (value === null) {
        isOpen = false
        return ''
      }
      const at = `${round(x(timesMs[index] ?? 0))} ${round(y(value))}`
      const part = isOpen ? `L${at}` : `M${at}h1`
      isOpen = true
      return part
    })
    .join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function largest(values: readonly (number | null)[]): number {
  return Math.max(0, ...values.filter((value) => value !== null))
}

function tickSvg(y: number, text: string): string {
  return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(y)}" y2="${round(y)}"/><text class="end faint" x="${LEFT - 8}" y="${round(y + 4)}">${escapeHtml(text)}</text>`
}

const MOST_TIMES = 6

function timeTicks(end: number): readonly number[] {
  const step = niceStep(end / MOST_TIMES)
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step)
}

function timeSvg(x: number, ms: number): string {
  const text = `${round(ms / 100) / 10} s`
  return `<text class="middle faint" x="${round(x)}" y="${HEIGHT - 8}">${text}</text>`
}
