import { createServer } from 'node:http'
import type { Canary } from '../toolkit/canary.ts'
import { listen } from './local-server.ts'

/** Addresses that nobody but the receiver should have a reason to call, on one port. */
export interface CanaryServer {
  /** `id` is part of its address. */
  canary(id: string): Canary
  close(): Promise<void>
}

export async function openCanaryServer(): Promise<CanaryServer> {
  const hits: { readonly path: string; readonly authorization: string | undefined }[] = []
  const server = createServer(({ url = '', headers: { authorization } }, response) => {
    hits.push({ path: url, authorization })
    response.writeHead(204).end()
  })
  const { origin, close } = await listen(server, 0)
  return {
    canary(id) {
      const path = `/${id}`
      return { url: origin + path, hits: () => hits.filter((hit) => hit.path.startsWith(path)) }
    },
    close,
  }
}
