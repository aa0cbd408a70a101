import { useLayoutEffect, useMemo } from 'preact/hooks'
import { createListing, type ListingOptions } from '../state/listing.ts'
import { useApp } from './use-app.ts'

/** Loads rows by key, and again after each given event. Undefined before the first load. */
export function useListing<Rows>(
  load: ListingOptions<Rows>['load'],
  types: ListingOptions<Rows>['types'],
  key = '',
): Rows | undefined {
  const app = useApp()
  const listing = useMemo(
    () => createListing(app, { load, types, onError: app.notices.sayError }),
    [app, key],
  )
  useLayoutEffect(() => {
    void listing.refresh()
    return listing.close
  }, [listing])
  return listing.rows.value
}
