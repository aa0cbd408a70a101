import { options, type Component, type VNode } from 'preact'

/** A component, with what is kept for it, and what it does once it is in the page, by the name that Preact has for packages. */
export interface DrawnComponent extends Component {
  readonly __h: (() => void)[]
  /** Whether it is to be drawn, though its properties are as they were. */
  isStale?: boolean
}

/** What of a node is Preact's own, by the names that it has for such packages. */
type DrawnNode<Kept> = VNode & { readonly __c?: (DrawnComponent & Kept) | null }

type Hook = (...given: readonly unknown[]) => void
const hooks = options as unknown as Record<string, Hook | undefined>

/** Before what others do at this point. `Kept` is what the module keeps for a component. */
export function addHook<Kept>(name: string, act: (node: DrawnNode<Kept>) => void): void {
  const others = hooks[name]
  hooks[name] = (...given) => {
    act(given[0] as DrawnNode<Kept>)
    others?.(...given)
  }
}

export function drawAgain(component: DrawnComponent): void {
  component.isStale = true
  component.setState({})
}
