/** Calls that may take longer than Node's own five minutes. Loaded only by those who need it. */
export async function fetchPatiently(): Promise<typeof fetch> {
  const { Agent, fetch: send } = await import('undici')
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  const patient = (url: string, init: object) => send(url, { ...init, dispatcher })
  return patient as typeof fetch
}
