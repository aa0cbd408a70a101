import { toPrintable } from '../../engine/core/short-text.ts'
import { timeText } from '../parts/names.ts'
import { useApp } from '../parts/use-app.ts'

const SHOWN = 30

export function EventStrip() {
  const { recent, rewind } = useApp()
  const at = rewind.at.value
  const events = at === undefined ? recent.value : recent.value.filter((event) => Date.parse(event.at) <= at)
  const [newest] = events
  return (
    <details class="events">
      <summary>
        <b>Events</b>{' '}
        {newest ? (
          <>
            <span class="mono dim">{timeText(newest.at)}</span> {newest.type} {toPrintable(newest.text)}
          </>
        ) : (
          <span class="dim">None since this page was opened</span>
        )}
      </summary>
      <ol tabIndex={0} aria-label="Events">
        {events.slice(0, SHOWN).map((event) => (
          <li
            key={event.id}
            class={event.type === 'attempt' && typeof event.data['reason'] === 'string' ? 'bad' : ''}
          >
            <span class="mono dim">{timeText(event.at)}</span> <span class="type">{event.type}</span>{' '}
            <span>{toPrintable(event.text)}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}
