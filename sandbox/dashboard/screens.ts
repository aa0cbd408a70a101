import type { FunctionComponent } from 'preact'
import { Activity, DETAILS } from './activity/activity.tsx'
import type { Route } from './state/route.ts'
import { Requests } from './requests/requests.tsx'
import { WhatIf } from './what-if/what-if.tsx'
import { Workshop } from './workshop/workshop.tsx'
import { World } from './world/world.tsx'

interface Screen {
  /** The title in the bar. Undefined if the bar has no entry for this screen. */
  readonly title?: string
  readonly component: FunctionComponent<Route>
}

/** All screens by the first word of the address, in the order of the bar. */
export const SCREENS: Readonly<Record<string, Screen>> = {
  '': { title: 'Activity', component: Activity },
  requests: { title: 'Requests', component: Requests },
  world: { title: 'World', component: World },
  workshop: { title: 'Workshop', component: Workshop },
  'what-if': { component: WhatIf },
  ...Object.fromEntries(Object.keys(DETAILS).map((word) => [word, { component: Activity }])),
}
