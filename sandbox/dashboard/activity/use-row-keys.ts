import { useLayoutEffect } from 'preact/hooks'
import { useApp, useKeys } from '../parts/use-app.ts'
import type { Route } from '../state/route.ts'
import type { ActivityView } from './activity-view.ts'
import type { Line } from './lines.ts'

interface RowKeysOptions {
  readonly view: ActivityView
  /** The open details. */
  readonly open: Opened | undefined
  readonly scrollTo: (row: number) => void
}

/** A delivery or payment from the address. */
export interface Opened {
  readonly screen: string
  readonly id: string
}

export function routeOf(line: Line): Route {
  const screens = { payment: 'payments', job: 'activity', crafted: 'deliveries' } as const
  return { screen: screens[line.kind], path: [line.key] }
}

/** Moves through the rows by keys. The pane follows. */
export function useRowKeys({ view, open, scrollTo }: RowKeysOptions): void {
  const { go, selection, timeline } = useApp()
  const { cursor, lines } = view

  function move(by: 1 | -1): void {
    const all = lines.value
    const from = all.findIndex(({ key }) => key === (cursor.value ?? open?.id))
    const index = from === -1 ? 0 : from + by
    const line = all[index]
    if (!line) return
    cursor.value = line.key
    scrollTo(index)
    if (open) go(routeOf(line))
  }

  useKeys([
    { key: 'j', about: 'next row', run: () => move(1) },
    { key: 'k', about: 'previous row', run: () => move(-1) },
    { key: 'ArrowDown', about: 'next row', run: () => move(1) },
    { key: 'ArrowUp', about: 'previous row', run: () => move(-1) },
    {
      key: 'Enter',
      about: 'open the row',
      run() {
        const line = lines.value.find(({ key }) => key === cursor.value)
        if (line) go(routeOf(line))
      },
    },
  ])
  const chosen = open?.id ?? cursor.value
  const job = timeline.data.value.job(chosen ?? '')
  const paymentId = job
    ? job.summary.payment_id
    : (timeline.data.value.group(chosen ?? '')?.paymentId ?? null)
  useLayoutEffect(() => {
    selection.value = { jobId: job && chosen, paymentId: paymentId ?? undefined }
    return () => (selection.value = {})
  }, [chosen, job === undefined, paymentId])
}
