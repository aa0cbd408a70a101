import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Route } from '../state/route.ts'
import { useApp } from './use-app.ts'

interface LineProps {
  readonly route: Route
  /** True if the page shows the details of this line next to the list. */
  readonly isChosen: boolean
  readonly class?: string
  readonly state: ComponentChildren
  readonly children: ComponentChildren
}

/** A line of a list that opens its details. */
export function ListLine({ route, isChosen, class: name = '', state, children }: LineProps) {
  const { link } = useApp()
  const element = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    if (isChosen) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <a
      ref={element}
      class={`line ${name} ${isChosen ? 'cursor' : ''}`}
      aria-current={isChosen ? 'true' : undefined}
      href={link(route)}
    >
      <span class="name">{children}</span>
      <span class="state">{state}</span>
    </a>
  )
}
