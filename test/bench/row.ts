import type { Comparison } from './slices.ts'

export interface Figure {
  readonly value: number
  readonly detail: string
  /** The ratio of two measurements of the same program in one run. The figure is invalid if this ratio is not close to 1. */
  readonly self?: number
}

export interface Row {
  readonly id: string
  readonly what: string
  readonly unit: '' | 'ms' | 's' | 'MB' | 'bytes'
  readonly better: 'more' | 'less'
  readonly bar: number
  readonly goal?: number
  readonly instead: string
  readonly profile?: string
  /** Set if the figure depends on the number of jobs. */
  readonly depends?: 'jobs'
  readonly measure: (options: MeasureOptions) => Promise<Figure>
}

export interface MeasureOptions {
  readonly jobs: number
  readonly folder: string
}

export function ratioFigure({ ratio, self, ours, bare }: Comparison): Figure {
  return { value: ratio, self, detail: `${Math.round(ours)} a second against ${Math.round(bare)}` }
}

export function isVoid({ self }: Figure): boolean {
  return self !== undefined && (self < 0.9 || self > 1.1)
}

export function reachesBar({ bar, better }: Row, { value }: Figure): boolean {
  return better === 'more' ? value >= bar : value <= bar
}

export function tableLine(row: Row, figure: Figure): string {
  const verdict = isVoid(figure)
    ? `void: the bare side against itself is ${figure.self?.toFixed(2)}`
    : reachesBar(row, figure)
      ? ''
      : `short of ${amount(row, row.bar)}`
  return `${row.id.padEnd(22)} ${amount(row, figure.value).padStart(9)}   ${figure.detail} ${verdict}`.trimEnd()
}

export function amount({ unit }: Row, value: number): string {
  if (unit === '') return value.toFixed(2)
  return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(2))} ${unit}`
}
