import { createContext } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import type { App } from '../state/app.ts'
import type { KeyBinding } from '../state/keys.ts'

export const AppContext = createContext<App | undefined>(undefined)

/** The state of the page, for whatever is drawn within the shell. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (!app) throw new Error('Cannot draw outside the shell: there is no app')
  return app
}

/**
 * Binds keys for as long as the component is drawn. `run` sees what it closes over when the key is pressed. Of two components that bind
 * the same key, the one has it that was drawn first later, however often the other is drawn again.
 */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const { keys } = useApp()
  const owner = useRef({})
  useEffect(() => keys.bind([], owner.current), [keys])
  useEffect(() => void keys.bind(bindings, owner.current))
}
