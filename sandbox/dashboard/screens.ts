import type { FunctionComponent } from 'preact'
import { ActivityScreen, DETAILS } from './activity/activity.tsx'
import type { Route } from './state/route.ts'
import { RequestsScreen } from './requests/requests.tsx'
import { WhatIfScreen } from './what-if/what-if.tsx'
import { WorkshopScreen } from './workshop/workshop.tsx'
import { WorldScreen } from './world/world.tsx'

/** All screens by the first word of the route, in the order of the navigation bar. A screen without a title is not in the bar. */
export const SCREENS: Readonly<Record<string, { title?: string; component: FunctionComponent<Route> }>> = {
  '': { title: 'Activity', component: ActivityScreen },
  requests: { title: 'Requests', component: RequestsScreen },
  world: { title: 'World', component: WorldScreen },
  workshop: { title: 'Workshop', component: WorkshopScreen },
  'what-if': { component: WhatIfScreen },
  ...Object.fromEntries(Object.keys(DETAILS).map((word) => [word, { component: ActivityScreen }])),
}
