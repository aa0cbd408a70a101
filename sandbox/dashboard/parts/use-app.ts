import { useLayoutEffect, useRef } from 'preact/hooks'
import type { App } from '../state/app.ts'
import type { KeyBinding } from '../state/keys.ts'

let shown: App | undefined

/** Says once, before anything is drawn, whose state it is that all is drawn of: a page has one app. */
export function provideApp(app: App): void {
  shown = app
}

/** The state of the page, for whatever is drawn. */
export function useApp(): App {
  if (!shown) throw new Error('Cannot draw: there is no app')
  return shown
}

/**
 * Binds keys for as long as the component is drawn. `run` sees what it closes over when the key is pressed. Of two components that bind
 * the same key, the one has it that was drawn first later, however often the other is drawn again.
 */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const { keys } = useApp()
  const owner = useRef({})
  useLayoutEffect(() => keys.bind([], owner.current), [keys])
  useLayoutEffect(() => void keys.bind(bindings, owner.current))
}
