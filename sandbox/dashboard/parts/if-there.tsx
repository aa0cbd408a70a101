import { RefusedError } from '../../client/requests.ts'
import { useApp } from './use-app.ts'

/** Returns null if the object is not found. */
export async function ifThere<Reply>(reply: Promise<Reply>): Promise<Reply | null> {
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
