import type { ScreenProps } from '../parts/screen-props.ts'
import { Pane } from '../parts/pane.tsx'
import { useApp } from '../parts/use-app.ts'
import { ObjectPane } from './object-pane.tsx'
import { ObjectRows, TYPES } from './object-rows.tsx'
import { Registrations } from './registrations.tsx'

/** The objects with their states, and the registrations. */
export function World({ path: [type = TYPES[0] ?? '', id] }: ScreenProps) {
  const { go } = useApp()
  return (
    <section class={`split with-pane world${id === undefined ? ' home' : ''}`}>
      <h1 class="hidden">World</h1>
      <ObjectRows key={type} type={type} chosenId={id} />
      {id === undefined ? (
        <Pane label="Registrations">
          <Registrations />
        </Pane>
      ) : (
        <Pane label="Object" onClose={() => go({ screen: 'world', path: [type] })}>
          <ObjectPane key={`${type}/${id}`} type={type} id={id} />
        </Pane>
      )}
    </section>
  )
}
