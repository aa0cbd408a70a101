/** Calls servers that show a certificate of this CA, and no others. Loaded only by those who need it. */
export async function fetchTrusting(caPem: string): Promise<typeof fetch> {
  const { Agent, fetch: send } = await import('undici')
  const dispatcher = new Agent({ connect: { ca: caPem } })
  const trusting = (url: string, init: object) => send(url, { ...init, dispatcher })
  return trusting as typeof fetch
}
