import { findTicks, type TimeScale } from './scale.ts'

interface AxisProps {
  readonly scale: TimeScale
  readonly now: number
}

/** The instants of sandbox time, above the rows. */
export function Axis({ scale, now }: AxisProps) {
  const x = scale.x(now)
  return (
    <svg class="axis" width={scale.width} height="24" aria-hidden="true">
      {findTicks(scale).map((tick) => (
        <g key={tick.label} transform={`translate(${tick.x} 0)`}>
          <path d="M0 18v6" />
          <text y="13" text-anchor="middle">
            {tick.label}
          </text>
        </g>
      ))}
      {x >= 0 && x <= scale.width && <path class="now" d={`M${x} 15l-4 0l4 8l4 -8z`} />}
    </svg>
  )
}
