import { eventText } from '../../client/event-text.ts'
import { toPrintable } from '../../engine/core/printable.ts'
import { useApp } from '../parts/use-app.ts'

const SHOWN = 30

/** What happens in the sandbox, the newest first. */
export function Ticker() {
  const { recent } = useApp()
  return (
    <section class="ticker" aria-label="Events" tabIndex={0}>
      {recent.value.length === 0 && <p class="dim">What happens from now on is listed here.</p>}
      <ol>
        {recent.value.slice(0, SHOWN).map((event) => (
          <li
            key={event.id}
            class={event.type === 'attempt' && typeof event.data['reason'] === 'string' ? 'bad' : ''}
          >
            <span class="mono dim">{event.at.slice(11, 23)}</span> <span class="type">{event.type}</span>{' '}
            <span class="text">{toPrintable(eventText(event))}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
