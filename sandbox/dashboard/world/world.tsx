import type { ScreenProps } from '../parts/screen-props.ts'
import { useApp, useKeys } from '../parts/use-app.ts'
import { ObjectPane } from './object-pane.tsx'
import { ObjectRows, TYPES } from './object-rows.tsx'
import { Registrations } from './registrations.tsx'

/** What there is: the objects with their states, and who is notified of them. */
export function World({ path: [type = TYPES[0] ?? '', id] }: ScreenProps) {
  const { go, rewind } = useApp()
  const close = () => go({ screen: 'world', path: [type] })
  useKeys(
    id === undefined || rewind.at.value !== undefined
      ? []
      : [{ key: 'Escape', about: 'close the object', run: close }],
  )
  return (
    <section class={`timeline with-pane world${id === undefined ? ' home' : ''}`}>
      <h1 class="hidden">World</h1>
      <ObjectRows key={type} type={type} chosenId={id} />
      <aside class="pane" aria-label={id === undefined ? 'Registrations' : 'Object'}>
        {id === undefined ? (
          <Registrations />
        ) : (
          <>
            <button type="button" class="close" aria-label="Close the object" onClick={close}>
              ×
            </button>
            <ObjectPane key={`${type}/${id}`} type={type} id={id} />
          </>
        )}
      </aside>
    </section>
  )
}
