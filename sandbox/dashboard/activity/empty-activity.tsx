import { commandLine } from '../../engine/core/command-line.ts'
import { Findings } from '../parts/findings.tsx'
import { PresentOnly } from '../parts/present-only.tsx'
import { useApp } from '../parts/use-app.ts'
import { useListing } from '../parts/use-listing.ts'

const DOCS = 'https://hookbench.github.io/hookbench/tutorial'

export function EmptyActivity({ isFiltered }: { readonly isFiltered: boolean }) {
  const { timeline, rewind } = useApp()
  if (timeline.unlisted.value === undefined) return <p class="empty loading">Loading deliveries</p>
  if (timeline.data.value.size > 0 || isFiltered) {
    return (
      <div class="empty">
        <h2>No delivery matches</h2>
        <p>The search covers payments, amounts, types, states, statuses, ids, bodies and headers.</p>
      </div>
    )
  }
  if (rewind.at.value !== undefined) {
    return (
      <div class="empty">
        <h2>Nothing had been sent by then</h2>
      </div>
    )
  }
  return <FirstSteps />
}

function FirstSteps() {
  const { perform, link, run, target } = useApp()
  const list = useListing(
    () => perform('listRegistrations'),
    ['registration', 'registration_removed', 'world'],
  )
  if (!list) return null
  const isRegistered = list.registrations.some(({ enabled }) => enabled)
  const play = () =>
    void run(
      () => perform('playPayment', { body: { kind: 'card-payin' } }),
      () =>
        isRegistered
          ? 'Played a card pay-in'
          : 'Played a card pay-in. Nothing was sent: no receiver is registered',
    )
  return (
    <div class="empty">
      <h2>Nothing was sent yet</h2>
      <p>Each notification to your receiver appears here, with its result.</p>
      <PresentOnly>
        <div class="actions">
          <button type="button" class={isRegistered ? 'main' : ''} onClick={play}>
            Play a payment
          </button>
          <a class={isRegistered ? 'button' : 'button main'} href={link({ screen: 'world', path: [] })}>
            Register your receiver
          </a>
          <a href={DOCS} target="_blank" rel="noreferrer">
            Read the tutorial
          </a>
        </div>
      </PresentOnly>
      {!isRegistered && (
        <details>
          <summary>Why nothing is sent</summary>
          <Findings />
          <p>
            Your receiver needs a certificate: <code>{commandLine('cert localhost', target.value)}</code>
          </p>
        </details>
      )}
    </div>
  )
}
