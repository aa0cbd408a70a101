import type { App } from '../state/app.ts'
import { useApp } from './use-app.ts'

export async function openWhatIf({ perform, run, notices, go }: App, id: string | null | undefined) {
  if (!id) return notices.say('failed', 'No payment exists yet', 'play a payment first, in the workshop')
  const payment = await run(() => perform('getPayment', { path: { id } }))
  if (!payment) return
  const { kind, outcome, amount, via } = payment
  const path = [kind, outcome, '-', String(amount), ...(via === undefined ? [] : [via])]
  // Leaves the rewound view, because a rehearsal always runs in the present.
  go({ screen: 'what-if', path, at: undefined })
}

interface WhatIfButtonProps {
  readonly paymentId: string | null
  readonly tabIndex?: number
}

export function WhatIfButton({ paymentId, tabIndex }: WhatIfButtonProps) {
  const app = useApp()
  if (paymentId === null) return null
  return (
    <button
      type="button"
      class="what-if-button"
      tabIndex={tabIndex}
      title="Play the payment again in another order (w)"
      onClick={(event) => {
        // Without `stopPropagation()`, a click on the button would also open the row.
        event.stopPropagation()
        void openWhatIf(app, paymentId)
      }}
    >
      What if…
    </button>
  )
}
