import { computed, effect, signal } from '@preact/signals'
import type { Perform } from '../../compose/perform.ts'
import { createTimelineFeed, type TimelineFeed } from '../data/timeline-feed.ts'
import type { Connection } from './connection.ts'
import type { Notices } from './notices.ts'
import type { PagePorts } from './page-ports.ts'
import type { Rewind } from './rewind.ts'

interface ShownTimelinePorts {
  readonly perform: Perform
  readonly performNow: Perform
  readonly rewind: Rewind
  readonly soon: PagePorts['soon']
  readonly onError: Notices['sayError']
}

/** Returns the timeline of now, or of the chosen instant once it is loaded. */
export function createShownTimeline(connection: Connection, ports: ShownTimelinePorts): TimelineFeed {
  const { perform, performNow, rewind, ...rest } = ports
  const present = createTimelineFeed({ ...connection, ...rest, perform: performNow })
  const past = createTimelineFeed({
    ...rewind.feed,
    ...rest,
    perform,
    onGap: (listener) =>
      rewind.feed.onGap(() => {
        if (rewind.at.peek() !== undefined) listener()
      }),
  })
  const shown = signal(present)
  effect(() => {
    void past.data.value
    if (rewind.at.peek() !== undefined) shown.value = past
  })
  effect(() => {
    if (rewind.at.value === undefined) shown.value = present
  })
  return {
    data: computed(() => shown.value.data.value),
    version: computed(() => shown.value.version.value),
    unlisted: computed(() => shown.value.unlisted.value),
    payment: (id) => shown.value.payment(id),
  }
}
