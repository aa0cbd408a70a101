import { useMemo } from 'preact/hooks'
import type { ScreenProps } from '../parts/screen-props.ts'
import { Pane } from '../parts/pane.tsx'
import { useApp, useKeys } from '../parts/use-app.ts'
import { Delivery } from '../delivery/delivery.tsx'
import type { App } from '../state/app.ts'
import { HOME } from '../state/route.ts'
import { RowList } from './row-list.tsx'
import { Ticker } from './ticker.tsx'
import { createTimelineView, type TimelineView } from './timeline-view.ts'

const views = new WeakMap<App, TimelineView>()

/** The first screen: what was sent, what was answered, what was asked back, and what comes next. */
export function Timeline({ path: [jobId] }: ScreenProps) {
  const app = useApp()
  const view = useMemo(() => {
    const known = views.get(app) ?? createTimelineView(app)
    views.set(app, known)
    return known
  }, [app])
  const { go, route } = app
  const isWide = route.value.screen === 'jobs'
  const widen = () => {
    if (jobId !== undefined) go({ screen: isWide ? 'timeline' : 'jobs', path: [jobId] })
  }
  useKeys(jobId === undefined ? [] : [{ key: 'z', about: 'widen or narrow the delivery', run: widen }])
  return (
    <section class={jobId === undefined ? 'timeline' : `timeline with-pane${isWide ? ' wide' : ''}`}>
      <h1 class="hidden">Timeline</h1>
      <RowList view={view} jobId={jobId} />
      {jobId !== undefined && (
        <Pane label="Delivery" onClose={() => go(HOME)}>
          <button
            type="button"
            class="widen"
            aria-label={isWide ? 'Narrow the delivery' : 'Widen the delivery'}
            onClick={widen}
          >
            {isWide ? '⇥' : '⇤'}
          </button>
          <Delivery key={jobId} id={jobId} />
        </Pane>
      )}
      <Ticker />
    </section>
  )
}
