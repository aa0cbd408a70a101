import { shortId, toPrintable } from '../../engine/core/short-text.ts'
import { formatMilliseconds, instantText } from '../parts/names.ts'
import { useApp } from '../parts/use-app.ts'
import { layOutEvents, type StoryEvent } from './story.ts'

/** Signs differ, not only colours. */
const SIGNS = { delivered: '●', failed: '✕', due: '○', call: '←', 'failed-call': '←' } as const

/** The events of a payment in order, one lane per object. Names of lanes and labels of gaps come first. */
export function EventTimeline({ story }: { readonly story: readonly StoryEvent[] }) {
  const { clock, rewind } = useApp()
  const { lanes, events, gaps, columns } = layOutEvents(story, rewind.at.value ?? clock.now.value)
  const rowOf = (lane: string) => `${lanes.indexOf(lane) + 2}`
  const jobs = Map.groupBy(events, ({ jobId }) => jobId)
  jobs.delete(undefined)
  const retries = [...jobs.values()].flatMap((attempts) =>
    attempts.slice(1).map((event, index) => ({ ...event, from: attempts[index]?.column ?? 0 })),
  )
  return (
    <div
      class="event-timeline"
      tabIndex={0}
      role="group"
      aria-label="Timeline"
      style={{ '--columns': `${columns}`, '--lanes': `${lanes.length}` }}
    >
      {gaps.map(({ column, label, isCompressed }) => (
        <span
          key={column}
          class={isCompressed ? 'gap compressed' : 'gap'}
          style={{ gridColumn: `${column + 2}` }}
        >
          {label}
        </span>
      ))}
      {lanes.map((lane) => (
        <LaneName key={lane} lane={lane} row={rowOf(lane)} />
      ))}
      {retries.map(({ id, kind, lane, from, column }) => (
        <span
          key={id}
          class={`retries ${kind}`}
          style={{ gridRow: rowOf(lane), gridColumn: `${from + 2} / ${column + 3}` }}
        />
      ))}
      {events.map((event) => (
        <Mark
          key={event.id}
          event={event}
          place={{ gridRow: rowOf(event.lane), gridColumn: `${event.column + 2}` }}
        />
      ))}
    </div>
  )
}

function LaneName({ lane, row }: { readonly lane: string; readonly row: string }) {
  const [type = '', id = ''] = lane.split('/')
  return (
    <span class="lane" style={{ gridRow: row }}>
      <span>{type}</span>
      <span class="mono dim">{toPrintable(shortId(id))}</span>
    </span>
  )
}

interface MarkProps {
  readonly event: StoryEvent
  readonly place: { readonly gridRow: string; readonly gridColumn: string }
}

function Mark({ event: { kind, title, result, at, jobId, tookMs }, place }: MarkProps) {
  const { link } = useApp()
  const took = tookMs === null ? '' : ` in ${formatMilliseconds(tookMs)}`
  const about = `${toPrintable(title)}: ${toPrintable(result)}${took}, ${instantText(at)}`
  // The lane has the type of the object.
  const name = jobId === undefined ? title : title.replace(/^\S+ /, '')
  const content = (
    <>
      <span>{toPrintable(name)}</span>
      <b aria-hidden="true">{SIGNS[kind]}</b>
      <span class="result">{toPrintable(result)}</span>
    </>
  )
  const attributes = { class: `mark ${kind}`, title: about, style: place }
  if (jobId === undefined) return <span {...attributes}>{content}</span>
  return (
    <a {...attributes} aria-label={about} href={link({ screen: 'activity', path: [jobId] })}>
      {content}
    </a>
  )
}
