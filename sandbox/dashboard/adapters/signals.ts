import { Component, Fragment } from 'preact'
import { effect } from '@preact/signals-core'
import { addHook, drawAgain, type DrawnComponent } from './component-hooks.ts'

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

interface Tracked {
  updater?: Updater | undefined
}

let finish = () => {}

function track(updater?: Updater): void {
  finish()
  finish = () => {}
  if (updater) finish = updater.S()
}

function createUpdater(component: DrawnComponent): Updater {
  let updater: Updater | undefined
  effect(function (this: unknown) {
    updater = this as Updater
  })
  const created = updater as unknown as Updater
  created.c = () => drawAgain(component)
  return created
}

// What is read while a component is drawn is its own: until the next node is looked at, the component is done, or it throws.
for (const name of ['__b', '__e', 'diffed']) addHook(name, () => track())
addHook<Tracked>('__r', ({ type, __c: component }) => {
  if (type === Fragment || !component) return
  component.isStale = false
  component.updater ??= createUpdater(component)
  track(component.updater)
})
addHook<Tracked>('unmount', ({ type, __c: component }) => {
  if (typeof type === 'string' || !component) return
  component.updater?.d()
  component.updater = undefined
})

/** What reads signals is drawn again for them, for its state and for other properties; not whenever what it is part of is. */
Component.prototype.shouldComponentUpdate = function (this: DrawnComponent & Tracked, next) {
  if (this.isStale || this.updater?.s === undefined) return true
  const [before, after] = [Object.entries(this.props), new Map(Object.entries(next))]
  return before.length !== after.size || before.some(([name, value]) => after.get(name) !== value)
}
