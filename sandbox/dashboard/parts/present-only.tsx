import type { ComponentChildren } from 'preact'
import { useApp } from './use-app.ts'

/** Controls that change the sandbox. They are disabled while the page shows the past. */
export function PresentOnly({ children }: { readonly children: ComponentChildren }) {
  const isPast = useApp().rewind.at.value !== undefined
  return (
    <fieldset
      disabled={isPast}
      title={isPast ? 'What has been cannot be changed: go back to now (Esc)' : undefined}
    >
      {children}
    </fieldset>
  )
}
