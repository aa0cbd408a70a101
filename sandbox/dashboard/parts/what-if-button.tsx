import type { App } from '../state/app.ts'
import { useApp } from './use-app.ts'

/** Goes to where the notifications of a payment are put into another order, or says that there is no payment. */
export async function openWhatIf(
  { perform, run, notices, go }: App,
  id: string | null | undefined,
): Promise<void> {
  if (!id) return notices.say('failed', 'There is no payment yet', 'play one first, in the workshop')
  const payment = await run(() => perform('getPayment', { path: { id } }))
  if (!payment) return
  const { kind, outcome, amount, via } = payment
  const path = [kind, outcome, '-', String(amount), ...(via === undefined ? [] : [via])]
  // It is played in the present, whichever past was looked at.
  go({ screen: 'what-if', path, at: undefined })
}

interface WhatIfButtonProps {
  readonly paymentId: string | null
  readonly tabIndex?: number
}

/** For the mouse: the same as the key. */
export function WhatIfButton({ paymentId, tabIndex }: WhatIfButtonProps) {
  const app = useApp()
  if (paymentId === null) return null
  return (
    <button
      type="button"
      class="what-if-button"
      tabIndex={tabIndex}
      title="Play the payment anew in another order (w)"
      onClick={(event) => {
        // It lies in a row that opens on a click.
        event.stopPropagation()
        void openWhatIf(app, paymentId)
      }}
    >
      What if…
    </button>
  )
}
