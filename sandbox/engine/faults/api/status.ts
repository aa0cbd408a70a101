import type { ApiFault } from '../api-fault.ts'

/** Answers this status, and does nothing. */
export const status: ApiFault = (_, { fault: { settings } }) => {
  const { status: code = 503, body = { message: `A fault answers ${code}` } } = settings
  // These have no body.
  if (code === 204 || code === 205 || code === 304)
    return Promise.resolve(new Response(null, { status: code }))
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return Promise.resolve(
    new Response(text, { status: code, headers: { 'content-type': 'application/json' } }),
  )
}
