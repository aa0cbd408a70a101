import type { ComponentChildren } from 'preact'
import { RefusedError } from '../../client/requests.ts'
import { useApp } from './use-app.ts'

/** Returns null if the object is not found. */
export async function nullIfNotFound<Reply>(reply: Promise<Reply>): Promise<Reply | null> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'not_found') return null
    throw error
  }
}

export function Absent({ what }: { readonly what: string }) {
  const isPast = useApp().rewind.at.value !== undefined
  return <p class="dim">{isPast ? `The ${what} was not there yet` : `There is no such ${what}`}</p>
}

/** Controls that change the sandbox. They are disabled while the page shows the past. */
export function PresentOnly({ children }: { readonly children: ComponentChildren }) {
  const isPast = useApp().rewind.at.value !== undefined
  return (
    <fieldset
      disabled={isPast}
      title={isPast ? 'The past cannot be changed. Go back to now (Esc)' : undefined}
    >
      {children}
    </fieldset>
  )
}
