import { alteredText } from '../altered-text.ts'
import type { ApiFault } from '../api-fault.ts'

/** Shows an object as no object is; with a whole body, one that does not exist too. */
export const craftedShow: ApiFault = async (next, { fault: { settings } }) => {
  const response = await next()
  const isShown = response.ok || (response.status === 404 && settings.body !== undefined)
  if (!isShown) return response
  const text = alteredText(await response.text(), settings)
  return new Response(text, { status: 200, headers: { 'content-type': 'application/json' } })
}
