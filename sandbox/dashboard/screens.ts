import type { FunctionComponent } from 'preact'
import { Activity, DETAILS } from './activity/activity.tsx'
import type { Route } from './state/route.ts'
import { Requests } from './requests/requests.tsx'
import { WhatIf } from './what-if/what-if.tsx'
import { Workshop } from './workshop/workshop.tsx'
import { World } from './world/world.tsx'

/** All screens by the first word of the address, in the order of the bar. The bar has no entry for a screen without a title. */
export const SCREENS: Readonly<Record<string, { title?: string; component: FunctionComponent<Route> }>> = {
  '': { title: 'Activity', component: Activity },
  requests: { title: 'Requests', component: Requests },
  world: { title: 'World', component: World },
  workshop: { title: 'Workshop', component: Workshop },
  'what-if': { component: WhatIf },
  ...Object.fromEntries(Object.keys(DETAILS).map((word) => [word, { component: Activity }])),
}
