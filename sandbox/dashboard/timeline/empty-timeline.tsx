import { commandLine } from '../../engine/core/command-line.ts'
import { Findings } from '../parts/findings.tsx'
import { useApp } from '../parts/use-app.ts'
import { useListing } from '../parts/use-listing.ts'

/** What to do where there is nothing to see yet. */
export function EmptyTimeline({ filtered }: { readonly filtered: boolean }) {
  const { timeline, rewind } = useApp()
  if (timeline.unlisted.value === undefined) return null
  if (filtered) {
    return (
      <div class="empty">
        <p>Nothing of what was sent has these words. An id may be shortened to any part of it.</p>
      </div>
    )
  }
  if (rewind.at.value !== undefined) return <p class="empty">Nothing had been sent by then</p>
  return (
    <div class="empty">
      <h2>Nothing was sent yet</h2>
      <NextStep />
    </div>
  )
}

/** First a registration, then something to notify of. */
function NextStep() {
  const { perform, link, show, target } = useApp()
  const list = useListing(
    () => perform('listRegistrations'),
    ['registration', 'registration_removed', 'world'],
  )
  if (!list) return null
  if (list.registrations.some(({ enabled }) => enabled)) {
    return (
      <>
        <p>Your receiver is registered: what happens to the objects of its types is sent to it.</p>
        <p>
          <button
            type="button"
            class="main"
            onClick={() => show({ kind: 'palette', query: 'play card-payin' })}
          >
            Play a payment
          </button>
        </p>
      </>
    )
  }
  return (
    <>
      <Findings />
      <p>
        Your receiver needs a certificate: <code>{commandLine('cert localhost', target.value)}</code> makes
        one. Then <a href={link({ screen: 'world', path: [] })}>register it</a>.
      </p>
    </>
  )
}
