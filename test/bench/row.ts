import type { Comparison } from './slices.ts'

export interface Figure {
  readonly value: number
  readonly detail: string
  /** The ratio between two measurements of the same side in one run. The figure is invalid if this ratio is not close to 1. */
  readonly self?: number
}

export interface Row {
  readonly id: string
  readonly what: string
  readonly unit: '' | 'ms' | 's' | 'MB' | 'bytes'
  readonly better: 'more' | 'less'
  readonly bar: number | ((options: MeasureOptions) => number)
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

export function barOf({ bar }: Row, options: MeasureOptions): number {
  return typeof bar === 'number' ? bar : bar(options)
}

export function reachesBar(row: Row, { value }: Figure, options: MeasureOptions): boolean {
  const bar = barOf(row, options)
  return row.better === 'more' ? value >= bar : value <= bar
}
