import { shortId, toPrintable } from '../../engine/core/short-text.ts'
import { formatMilliseconds, instantText } from '../parts/names.ts'
import { useApp } from '../parts/use-app.ts'
import { layOutEvents, type PlacedEvent, type StoryEvent } from './story.ts'

/** Symbols differ in shape, not only in colour. */
const SIGNS = { delivered: '●', failed: '✕', due: '○', call: '←', 'failed-call': '←' } as const

/** The events of a payment in order, with one lane per object. Names of lanes and labels of gaps are rendered first. */
export function EventTimeline({ story }: { readonly story: readonly StoryEvent[] }) {
  const { clock, rewind } = useApp()
  const { lanes, events, gaps, columns } = layOutEvents(story, rewind.at.value ?? clock.now.value)
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
      {lanes.map((lane, index) => (
        <LaneName key={lane} lane={lane} row={`${index + 2}`} />
      ))}
      {events.map(({ id, kind, row, column, since }) => {
        const place = { gridRow: `${row + 2}`, gridColumn: `${(since ?? 0) + 2} / ${column + 3}` }
        return since !== undefined && <span key={id} class={`retries ${kind}`} style={place} />
      })}
      {events.map((event) => (
        <Mark key={event.id} {...event} />
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

function Mark({ kind, title, result, at, jobId, tookMs, row, column }: PlacedEvent) {
  const { link } = useApp()
  const took = tookMs === null ? '' : ` in ${formatMilliseconds(tookMs)}`
  const about = `${toPrintable(title)}: ${toPrintable(result)}${took}, ${instantText(at)}`
  // Omits the type, which the lane shows.
  const name = jobId === undefined ? title : title.replace(/^\S+ /, '')
  const content = (
    <>
      <span>{toPrintable(name)}</span>
      <b aria-hidden="true">{SIGNS[kind]}</b>
      <span class="result">{toPrintable(result)}</span>
    </>
  )
  const style = { gridRow: `${row + 2}`, gridColumn: `${column + 2}` }
  const attributes = { class: `mark ${kind}`, title: about, style }
  if (jobId === undefined) return <span {...attributes}>{content}</span>
  return (
    <a {...attributes} aria-label={about} href={link({ screen: 'activity', path: [jobId] })}>
      {content}
    </a>
  )
}
