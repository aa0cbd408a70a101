/** Whether what listens on this port of loopback is a sandbox, of `up` or of a run of checks. Never rejects. */
export async function isSandbox(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      // What a sandbox refuses with a code of its own, before anything else.
      headers: { origin: 'http://another.test' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { error }: { readonly error?: unknown } = Object(await answer.json())
    return Reflect.get(Object(error), 'code') === 'foreign_origin'
  } catch {
    return false
  }
}

const TIMEOUT_MS = 2_000
