import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Route } from '../state/route.ts'
import { useApp } from './use-app.ts'

interface LineProps {
  readonly route: Route
  readonly isChosen: boolean
  readonly class?: string
  readonly state: ComponentChildren
  readonly children: ComponentChildren
}

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
