import { escapeHtml } from '../report/escape.ts'

export interface Series {
  readonly name: string
  /** The CSS class that sets the colour of the curve. */
  readonly look: string
  readonly values: readonly (number | null)[]
}

interface Chart {
  readonly id: string
  readonly title: string
  readonly timesMs: readonly number[]
  readonly series: readonly Series[]
  /** The scale of the values. Durations use `log`, because the longest can be a thousand times the shortest. */
  readonly scale: 'linear' | 'log'
  readonly format: (value: number) => string
}

const [WIDTH, HEIGHT] = [900, 240]
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 16, 14, 30]

export function chartHtml(chart: Chart): string {
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

/** Returns the smallest axis step that is at least `least`. A step is 1, 2 or 5 times a power of ten. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10)
}

/** Returns the SVG path of a curve. A null value interrupts the curve. A single value is drawn as a short line. */
function pathOf(
  values: readonly (number | null)[],
  timesMs: readonly number[],
  { x, y }: { readonly x: (ms: number) => number; readonly y: (value: number) => number },
): string {
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

const MAX_TIMES = 6

function timeTicks(end: number): readonly number[] {
  const step = niceStep(end / MAX_TIMES)
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step)
}

function timeSvg(x: number, ms: number): string {
  const text = `${round(ms / 100) / 10} s`
  return `<text class="middle faint" x="${round(x)}" y="${HEIGHT - 8}">${text}</text>`
}
