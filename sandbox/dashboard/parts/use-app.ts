import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { RefusedError } from '../../client/requests.ts'
import type { App } from '../state/app.ts'
import type { KeyBinding } from '../state/keys.ts'
import { createListing, type ListingOptions } from '../data/listing.ts'

let shown: App | undefined

/** Sets the app for all components. Call this function once before the first render. */
export function provideApp(app: App): void {
  shown = app
}

export function useApp(): App {
  if (!shown) throw new Error('Cannot draw: there is no app')
  return shown
}

export function useTimelineData() {
  const { timeline } = useApp()
  void timeline.version.value
  return timeline.data.value
}

/** Binds keys while the component is mounted. If two components bind the same key, the component mounted later handles it. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const { keys } = useApp()
  const owner = useRef({})
  useLayoutEffect(() => keys.bind([], owner.current), [keys])
  useLayoutEffect(() => void keys.bind(bindings, owner.current))
}

/** Loads a list, and reloads it after the given events and when `key` changes. Returns undefined until the list is first loaded. */
export function useListing<Rows>(
  load: ListingOptions<Rows>['load'],
  types: ListingOptions<Rows>['types'] = [],
  key = '',
): Rows | undefined {
  const app = useApp()
  const listing = useMemo(
    () => createListing(app, { load, types, onError: app.notices.sayError }),
    [app, key],
  )
  useLayoutEffect(() => {
    listing.refresh()
    return listing.close
  }, [listing])
  return listing.rows.value
}

export function useCommands() {
  const { commands } = useApp()
  useLayoutEffect(() => {
    if (!commands.rows.peek()) commands.refresh()
  }, [commands])
  return commands.rows.value
}

/** Loads an object, and reloads it after the given events. Null if the object is not found. Undefined before the first load. */
export function useObject<Value>(
  load: () => Promise<Value>,
  types: ListingOptions<Value>['types'] = [],
  key = '',
): Value | null | undefined {
  return useListing(() => load().catch(nullIfNotFound), types, key)
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof RefusedError && error.code === 'not_found') return null
  throw error
}

export function useRegistrations() {
  const { perform } = useApp()
  return useListing(() => perform('listRegistrations'), ['registration', 'registration_removed'])
    ?.registrations
}
