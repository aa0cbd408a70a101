import { barOf, isVoid, reachesBar, type Figure, type MeasureOptions, type Row } from './row.ts'

export function tableLine(row: Row, figure: Figure, options: MeasureOptions): string {
  const verdict = isVoid(figure)
    ? `void: the bare side against itself is ${figure.self?.toFixed(2)}`
    : reachesBar(row, figure, options)
      ? ''
      : `short of ${amount(row, barOf(row, options))}`
  return `${row.id.padEnd(22)} ${amount(row, figure.value).padStart(9)}   ${figure.detail} ${verdict}`.trimEnd()
}

export function amount({ unit }: Row, value: number): string {
  if (unit === '') return value.toFixed(2)
  return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(2))} ${unit}`
}
