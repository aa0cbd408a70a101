import { checkServerIdentity } from '../adapters/server-identity.ts'

/** Creates a `fetch` that trusts only these CAs. A call's signal also limits the time to connect. Loads undici on first use. */
export async function fetchTrusting(caPems: readonly string[]): Promise<typeof fetch> {
  const { Agent, fetch: call } = await import('undici')
  const dispatcher = new Agent({ connect: { ca: [...caPems], checkServerIdentity, timeout: 0 } })
  const configured = (url: string, init: object) => call(url, { ...init, dispatcher })
  return configured as typeof fetch
}
