import type { ComponentChildren } from 'preact'
import { useApp } from './use-app.ts'

/** Shows a placeholder for an object that is still loading (undefined) or does not exist (null). */
export function Absent({ what, value }: { readonly what: string; readonly value: null | undefined }) {
  const { isPast } = useApp().rewind
  if (value === undefined) return <p class="loading">Loading the {what}</p>
  return <p class="dim">{isPast.value ? `The ${what} did not exist yet` : `The ${what} does not exist`}</p>
}

export function PresentOnly({ children }: { readonly children: ComponentChildren }) {
  const isPast = useApp().rewind.isPast.value
  return (
    <fieldset
      disabled={isPast}
      title={isPast ? 'You cannot change the past. Go back to now (Esc)' : undefined}
    >
      {children}
    </fieldset>
  )
}
