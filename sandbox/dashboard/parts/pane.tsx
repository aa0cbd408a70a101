import type { ComponentChildren } from 'preact'
import { useApp, useKeys } from './use-app.ts'

interface PaneProps {
  /** The accessible name, such as `Delivery`. */
  readonly label: string
  readonly onClose?: (() => void) | false
  readonly children: ComponentChildren
}

/** A pane next to the rows. In the past, Escape returns to now. */
export function Pane({ label, onClose, children }: PaneProps) {
  const isPast = useApp().rewind.at.value !== undefined
  const about = `close the ${label.toLowerCase()}`
  useKeys(onClose && !isPast ? [{ key: 'Escape', about, run: onClose }] : [])
  return (
    <aside class="pane" aria-label={label} tabIndex={0}>
      {onClose && (
        <button type="button" class="close" aria-label={`Close the ${label.toLowerCase()}`} onClick={onClose}>
          ×
        </button>
      )}
      {children}
    </aside>
  )
}
