import type { Mark } from './row-marks.ts'

const MIDDLE = 13

/** A mark, told from the others by its shape, and then by its colour. */
export function MarkShape({ kind, x, end, title, isChosen }: Mark & { readonly isChosen: boolean }) {
  return (
    <g class={isChosen ? `mark ${kind} chosen` : `mark ${kind}`}>
      <title>{title}</title>
      {kind !== 'waiting' && <rect class="reach" x={x - 6} width="12" height={2 * MIDDLE} />}
      {kind === 'delivered' && <circle cx={x} cy={MIDDLE} r="4.5" />}
      {kind === 'due' && <circle cx={x} cy={MIDDLE} r="4" />}
      {kind === 'failed' && <path d={`M${x - 4} ${MIDDLE - 4}l8 8m0 -8l-8 8`} />}
      {kind === 'call' && <path d={`M${x} ${MIDDLE + 4}v7`} />}
      {kind === 'waiting' && <path d={`M${x} ${MIDDLE}H${end}m0 -4v8`} />}
    </g>
  )
}
