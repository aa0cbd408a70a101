import { checkServerIdentity } from '../adapters/server-identity.ts'

/** Calls to servers that show a certificate of one of these CAs, and to no others. Undici is loaded only by those who need it. */
export async function fetchTrusting(caPems: readonly string[]): Promise<typeof fetch> {
  const { Agent, fetch: call } = await import('undici')
  const dispatcher = new Agent({ connect: { ca: [...caPems], checkServerIdentity } })
  const configured = (url: string, init: object) => call(url, { ...init, dispatcher })
  return configured as typeof fetch
}
