import { toPrintable } from '../../engine/core/short-text.ts'
import { useApp } from '../parts/use-app.ts'

const SHOWN = 30

/** What happens in the sandbox, the newest first. */
export function Ticker() {
  const { recent, rewind } = useApp()
  const at = rewind.at.value
  const known = recent.value.at(-1)?.at
  const events = at === undefined ? recent.value : recent.value.filter((event) => Date.parse(event.at) <= at)
  return (
    <section class="ticker" aria-label="Events" tabIndex={0}>
      {at !== undefined && (
        <p class="dim">Events are known since this page was opened{known && `: ${known.slice(11, 23)}`}</p>
      )}
      {at === undefined && known === undefined && <p class="dim">What happens from now on is listed here.</p>}
      <ol>
        {events.slice(0, SHOWN).map((event) => (
          <li
            key={event.id}
            class={event.type === 'attempt' && typeof event.data['reason'] === 'string' ? 'bad' : ''}
          >
            <span class="mono dim">{event.at.slice(11, 23)}</span> <span class="type">{event.type}</span>{' '}
            <span class="text">{toPrintable(event.text)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
