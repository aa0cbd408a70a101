import type { FunctionComponent } from 'preact'
import type { ScreenProps } from './parts/screen-props.ts'
import { Timeline } from './timeline/timeline.tsx'
import { WhatIf } from './what-if/what-if.tsx'
import { Workshop } from './workshop/workshop.tsx'
import { World } from './world/world.tsx'

/** A screen, which a first word of the address names. */
export interface Screen {
  /** The word; empty for the first screen. */
  readonly word: string
  /** In the bar; left out for a screen that is reached from another one. */
  readonly title?: string
  readonly component: FunctionComponent<ScreenProps>
}

/** All of them, in the order of the bar. A new screen is a line here. */
export const SCREENS: readonly Screen[] = [
  { word: '', title: 'Timeline', component: Timeline },
  // A delivery beside the timeline, and one that fills the page.
  { word: 'timeline', component: Timeline },
  { word: 'jobs', component: Timeline },
  { word: 'what-if', component: WhatIf },
  { word: 'world', title: 'World', component: World },
  { word: 'workshop', title: 'Workshop', component: Workshop },
]

export function findScreen(word: string): Screen | undefined {
  return SCREENS.find((screen) => screen.word === word)
}
