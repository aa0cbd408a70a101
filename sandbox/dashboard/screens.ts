import type { FunctionComponent } from 'preact'
import { Activity } from './activity/activity.tsx'
import type { Route } from './state/route.ts'
import { Requests } from './requests/requests.tsx'
import { WhatIf } from './what-if/what-if.tsx'
import { Workshop } from './workshop/workshop.tsx'
import { World } from './world/world.tsx'

export interface Screen {
  /** The first word of the address. Empty for the first screen. */
  readonly word: string
  /** The title in the bar. Absent if another screen leads here. */
  readonly title?: string
  readonly component: FunctionComponent<Route>
}

/** All screens in the order of the bar. A new screen is a line here. */
export const SCREENS: readonly Screen[] = [
  { word: '', title: 'Activity', component: Activity },
  // Details next to the list, and details that fill the page.
  { word: 'activity', component: Activity },
  { word: 'jobs', component: Activity },
  { word: 'payments', component: Activity },
  { word: 'payment', component: Activity },
  { word: 'deliveries', component: Activity },
  { word: 'what-if', component: WhatIf },
  { word: 'requests', title: 'Requests', component: Requests },
  { word: 'world', title: 'World', component: World },
  { word: 'workshop', title: 'Workshop', component: Workshop },
]

export function findScreen(word: string): Screen | undefined {
  return SCREENS.find((screen) => screen.word === word)
}
