import { toPrintable, shortId } from '../../engine/core/short-text.ts'
import { formatMilliseconds } from '../delivery/phases.ts'
import { instantText } from '../parts/names.ts'
import { useApp } from '../parts/use-app.ts'
import { layOutEvents, type EventAxis, type Gap, type PlacedEvent } from './event-axis.ts'
import type { StoryEvent } from './story.ts'

const [NAME, COLUMN, LANE, HEAD, MIDDLE] = [150, 104, 60, 36, 22]
const LONGEST = 14

const xOf = (column: number) => NAME + column * COLUMN + COLUMN / 2

/** The events of a payment in order, one lane per object. */
export function EventTimeline({ story }: { readonly story: readonly StoryEvent[] }) {
  const { clock, rewind } = useApp()
  const axis = layOutEvents(story, rewind.at.value ?? clock.now.value)
  const { lanes, events, gaps, columns } = axis
  const [width, height] = [NAME + columns * COLUMN, HEAD + lanes.length * LANE]
  const yOf = (lane: string) => HEAD + lanes.indexOf(lane) * LANE + MIDDLE
  return (
    <div class="event-timeline" tabIndex={0} role="group" aria-label="Timeline">
      <svg width={width} height={height} role="group" aria-label="Events in their order">
        {gaps.map((gap) => (
          <GapLabel key={gap.column} {...gap} height={height} />
        ))}
        {lanes.map((lane) => (
          <LaneName key={lane} lane={lane} y={yOf(lane)} width={width} />
        ))}
        <Retries {...axis} yOf={yOf} />
        {events.map((event) => (
          <Mark key={event.id} event={event} y={yOf(event.lane)} />
        ))}
      </svg>
    </div>
  )
}

function GapLabel({ column, label, isCompressed, height }: Gap & { readonly height: number }) {
  const x = NAME + column * COLUMN
  return (
    <g class={isCompressed ? 'gap compressed' : 'gap'}>
      <path d={`M${x} ${HEAD - 8}V${height}`} />
      {isCompressed && <path class="break" d={`M${x - 5} ${HEAD - 4}l4 -8m2 8l4 -8`} />}
      <text x={x} y="14" text-anchor="middle">
        {label}
      </text>
    </g>
  )
}

function LaneName({ lane, y, width }: { readonly lane: string; readonly y: number; readonly width: number }) {
  const [type = '', id = ''] = lane.split('/')
  return (
    <g class="lane">
      <path d={`M${NAME} ${y}H${width}`} />
      <text class="type" y={y - 2}>
        {type}
      </text>
      <text y={y + 13}>{toPrintable(shortId(id))}</text>
    </g>
  )
}

/** Joins the attempts of each job. The line to a due attempt is dashed. */
function Retries({ events, yOf }: EventAxis & { readonly yOf: (lane: string) => number }) {
  const jobs = Map.groupBy(
    events.filter(({ jobId }) => jobId !== undefined),
    ({ jobId }) => jobId,
  )
  return (
    <>
      {[...jobs.values()].flatMap((attempts) =>
        attempts.slice(1).map((event, index) => {
          const before = attempts[index]
          if (!before) return null
          return (
            <path
              key={event.id}
              class={event.kind === 'due' ? 'retries due' : 'retries'}
              d={`M${xOf(before.column) + 6} ${yOf(event.lane)}H${xOf(event.column) - 6}`}
            />
          )
        }),
      )}
    </>
  )
}

interface MarkProps {
  readonly event: PlacedEvent
  readonly y: number
}

function Mark({ event, y }: MarkProps) {
  const { link } = useApp()
  const { kind, title, result, at, jobId, column, tookMs } = event
  const took = tookMs === null ? '' : ` in ${formatMilliseconds(tookMs)}`
  const about = `${toPrintable(title)}: ${toPrintable(result)}${took}, ${instantText(at)}`
  const x = xOf(column)
  const shape = (
    <>
      <title>{about}</title>
      <rect class="reach" x={x - COLUMN / 2} y={y - 20} width={COLUMN} height={LANE - 4} />
      <path d={SHAPES[kind](x, y)} />
    </>
  )
  return (
    <g class={`mark ${kind}`}>
      {jobId === undefined ? (
        <g>{shape}</g>
      ) : (
        <a href={link({ screen: 'activity', path: [jobId] })}>{shape}</a>
      )}
      <text x={x} y={y - 12} text-anchor="middle">
        {cut(
          title
            .split(' ')
            .slice(jobId === undefined ? 0 : 1)
            .join(' '),
        )}
      </text>
      <text class="result" x={x} y={y + 20} text-anchor="middle">
        {cut(result)}
      </text>
    </g>
  )
}

const cut = (text: string) => toPrintable(text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)

/** Shapes differ, not only colours. */
const SHAPES: Readonly<Record<StoryEvent['kind'], (x: number, y: number) => string>> = {
  delivered: (x, y) => `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`,
  failed: (x, y) => `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`,
  due: (x, y) => `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`,
  call: (x, y) => `M${x + 6} ${y}H${x - 6}m4 -4l-4 4l4 4`,
  'failed-call': (x, y) => `M${x + 6} ${y}H${x - 6}m4 -4l-4 4l4 4`,
}
