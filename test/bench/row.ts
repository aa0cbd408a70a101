import type { Comparison } from './slices.ts'

export interface Figure {
  readonly value: number
  /** The rates, counts and sizes behind the figure. */
  readonly detail: string
  /** A side measured against itself in the same run; void if that is not near 1. */
  readonly self?: number
}

/** A line of the table. */
export interface Row {
  readonly id: string
  /** The measured quantity and its divisor. */
  readonly what: string
  readonly unit: '' | 'ms' | 's' | 'MB' | 'bytes'
  /** Which of two figures is the better one. */
  readonly better: 'more' | 'less'
  readonly bar: number | ((options: MeasureOptions) => number)
  readonly goal?: number
  /** The alternative that people would use, and its figure if known. */
  readonly instead: string
  /** The first lines of a profile and the tried improvements. Printed if the figure misses the bar. */
  readonly profile?: string
  /** Set where the figure is one for so many jobs. */
  readonly depends?: 'jobs'
  readonly measure: (options: MeasureOptions) => Promise<Figure>
}

export interface MeasureOptions {
  /** How many jobs the large store holds. */
  readonly jobs: number
  /** A folder for output. Filled stores are kept in it. */
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
