import type { ComponentChildren } from 'preact'
import { useApp } from './use-app.ts'

/** What changes the sandbox: it can be done only while the page shows what is. */
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
