import type { FunctionComponent } from 'preact'
import { Crafted, DeliveryDetails } from '../delivery/delivery.tsx'
import { Pane } from '../parts/pane.tsx'
import { type Route, HOME } from '../state/route.ts'
import { useApp, useKeys } from '../parts/use-app.ts'
import { PaymentDetails } from '../payment/payment-details.tsx'
import { ActivityList } from './activity-list.tsx'
import { createActivityView, type ActivityView } from './activity-view.ts'

interface DetailsScreen {
  readonly label: string
  readonly Details: FunctionComponent<{ readonly id: string }>
  readonly isWide?: boolean
  /** The name of another screen that shows the same details in a wider or narrower layout. */
  readonly other?: string
}

export const DETAILS: Readonly<Record<string, DetailsScreen>> = {
  activity: { label: 'Delivery', Details: DeliveryDetails, other: 'jobs' },
  jobs: { label: 'Delivery', Details: DeliveryDetails, isWide: true, other: 'activity' },
  deliveries: { label: 'Delivery', Details: Crafted },
  payments: { label: 'Payment', Details: PaymentDetails, other: 'payment' },
  payment: { label: 'Payment', Details: PaymentDetails, isWide: true, other: 'payments' },
}

let view: ActivityView | undefined

export function ActivityScreen({ screen, path: [id] }: Route) {
  const app = useApp()
  view ??= createActivityView(app)
  const shown = id === undefined ? undefined : DETAILS[screen]
  const other = shown?.other
  const widen = () => {
    if (other !== undefined && id !== undefined) app.go({ screen: other, path: [id] })
  }
  useKeys(other === undefined ? [] : [{ key: 'z', about: 'widen or narrow the details', run: widen }])
  return (
    <section class={`split activity ${shown ? 'with-pane' : ''} ${shown?.isWide ? 'wide' : ''}`}>
      <h1 class="hidden">Activity</h1>
      <ActivityList view={view} openId={id} />
      {shown && id !== undefined && (
        <Pane label={shown.label} onClose={() => app.go(HOME)}>
          {other !== undefined && (
            <button
              type="button"
              class="widen"
              aria-label={`${shown.isWide ? 'Narrow' : 'Widen'} the ${shown.label.toLowerCase()}`}
              onClick={widen}
            >
              {shown.isWide ? '⇥' : '⇤'}
            </button>
          )}
          <shown.Details key={id} id={id} />
        </Pane>
      )}
    </section>
  )
}
