import { Component, Fragment, options, type VNode } from 'preact'
import { effect } from '@preact/signals-core'

/**
 * Draws a component again when a signal changes that it read. The build puts this module in place of `@preact/signals`, which does the
 * same, and binds signals to texts and attributes, too, which nothing here does: it is three times as large.
 */
export * from '@preact/signals-core'

/** An effect, by the names that its package has for `@preact/signals`. */
interface Updater {
  /** What it has read. */
  readonly s?: unknown
  /** Begins to keep what is read; returns the way to end that. */
  S(): () => void
  /** What it does upon a change. */
  c: () => void
  d(): void
}

interface TrackedComponent extends Component {
  updater?: Updater | undefined
  isStale?: boolean
}

/** What of a node is Preact's own, by the names that it has for such packages. */
type DrawnNode = VNode & { readonly __c?: TrackedComponent | null }

let finish = () => {}

function track(updater?: Updater): void {
  finish()
  finish = () => {}
  if (updater) finish = updater.S()
}

function createUpdater(component: TrackedComponent): Updater {
  let updater: Updater | undefined
  effect(function (this: unknown) {
    updater = this as Updater
  })
  const created = updater as unknown as Updater
  created.c = () => {
    component.isStale = true
    component.setState({})
  }
  return created
}

type Hook = (...given: readonly unknown[]) => void
const hooks = options as unknown as Record<string, Hook | undefined>

/** Before what others do at this point, or after it. */
function addHook(name: string, act: (node: DrawnNode) => void, isAfter = false): void {
  const others = hooks[name]
  hooks[name] = (...given) => {
    if (isAfter) others?.(...given)
    act(given[0] as DrawnNode)
    if (!isAfter) others?.(...given)
  }
}

// What is read while a component is drawn is its own: until the next node is looked at, the component is done, or it throws.
addHook('__b', () => track())
addHook('__e', () => track())
addHook('diffed', () => track())
addHook(
  '__r',
  ({ type, __c: component }) => {
    if (type === Fragment || !component) return
    component.isStale = false
    component.updater ??= createUpdater(component)
    track(component.updater)
  },
  true,
)
addHook('unmount', ({ type, __c: component }) => {
  if (typeof type === 'string' || !component) return
  component.updater?.d()
  component.updater = undefined
})

/** What reads signals is drawn again for them, for its state and for other properties; not whenever what it is part of is. */
Component.prototype.shouldComponentUpdate = function (this: TrackedComponent, next) {
  if (this.isStale || this.updater?.s === undefined) return true
  const [before, after] = [Object.entries(this.props), new Map(Object.entries(next))]
  return before.length !== after.size || before.some(([name, value]) => after.get(name) !== value)
}
