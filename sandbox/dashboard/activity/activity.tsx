import { useMemo } from 'preact/hooks'
import { Crafted } from '../delivery/crafted.tsx'
import { Delivery } from '../delivery/delivery.tsx'
import { Pane } from '../parts/pane.tsx'
import type { ScreenProps } from '../parts/screen-props.ts'
import { useApp, useKeys } from '../parts/use-app.ts'
import { PaymentDetails } from '../payment/payment-details.tsx'
import type { App } from '../state/app.ts'
import { HOME } from '../state/route.ts'
import { ActivityList } from './activity-list.tsx'
import { createActivityView, type ActivityView } from './activity-view.ts'
import { toPrintable } from '../../engine/core/short-text.ts'
import { timeText } from '../parts/names.ts'

const views = new WeakMap<App, ActivityView>()

const DETAILS = {
  activity: { label: 'Delivery', Details: Delivery },
  jobs: { label: 'Delivery', Details: Delivery },
  deliveries: { label: 'Delivery', Details: Crafted },
  payments: { label: 'Payment', Details: PaymentDetails },
  payment: { label: 'Payment', Details: PaymentDetails },
} as const

/** Maps a full-width screen to the same screen next to the list. */
const WIDE: Readonly<Record<string, string>> = { activity: 'jobs', payments: 'payment' }

/** The first screen. It lists all deliveries, newest first. */
export function Activity({ path: [id] }: ScreenProps) {
  const app = useApp()
  const view = useMemo(() => {
    const known = views.get(app) ?? createActivityView(app)
    views.set(app, known)
    return known
  }, [app])
  const { go, route } = app
  const { screen } = route.value
  const shown = id === undefined ? undefined : Object.entries(DETAILS).find(([name]) => name === screen)?.[1]
  const narrow = Object.keys(WIDE).find((name) => WIDE[name] === screen)
  const other = narrow ?? WIDE[screen]
  const widen = () => {
    if (other !== undefined && id !== undefined) go({ screen: other, path: [id] })
  }
  useKeys(shown && other ? [{ key: 'z', about: 'widen or narrow the details', run: widen }] : [])
  const label = shown?.label.toLowerCase()
  return (
    <section class={`split activity${shown ? ' with-pane' : ''}${narrow === undefined ? '' : ' wide'}`}>
      <h1 class="hidden">Activity</h1>
      <ActivityList view={view} open={id === undefined ? undefined : { screen, id }} />
      {shown && id !== undefined && (
        <Pane label={shown.label} onClose={() => go(HOME)}>
          {other !== undefined && (
            <button
              type="button"
              class="widen"
              aria-label={`${narrow === undefined ? 'Widen' : 'Narrow'} the ${label}`}
              onClick={widen}
            >
              {narrow === undefined ? '⇤' : '⇥'}
            </button>
          )}
          <shown.Details key={id} id={id} />
        </Pane>
      )}
      <EventStrip />
    </section>
  )
}

const SHOWN = 30

function EventStrip() {
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
