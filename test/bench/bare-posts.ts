import { rootCertificates } from 'node:tls'
import { Agent } from 'undici'
import { repeat, type Side } from './slices.ts'

export interface BarePosts {
  readonly side: (parallel: number) => Side
  readonly post: () => Promise<void>
  close(): Promise<void>
}

/** The baseline for a delivery: undici posts the same bytes over reused HTTPS connections. */
export function createBarePosts(
  url: string,
  { ca, body, connections }: { readonly ca: string; readonly body: string; readonly connections: number },
): BarePosts {
  const agent = new Agent({ connections, allowH2: false, connect: { ca: [...rootCertificates, ca] } })
  const { origin, pathname } = new URL(url)
  const headers = { 'content-type': 'application/json' }
  const post = async () => {
    const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body })
    await answer.body.dump()
  }
  return { side: (parallel) => repeat(parallel, post), post, close: () => agent.close() }
}
