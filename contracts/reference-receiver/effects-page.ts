import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Processor } from './processor.ts'
import type { Server } from './https-server.ts'

interface EffectsPage extends Pick<Processor, 'readEffects'> {
  /** Takes up what was missed. */
  readonly reconcile: () => Promise<void>
}

/**
 * For those who check us, on loopback only. `GET /effects/{object_type}/{id}` shows what was done about an object:
 * `{"effects": n, "state": "…" | null, "amount"?: minor units, "currency"?, "user_id"?, "account_id"?}`. `POST /reconcile` looks
 * for what was missed, as a schedule does in operation.
 */
export async function serveEffects(
  { readEffects, reconcile }: EffectsPage,
  { port, onError }: { readonly port: number; readonly onError: (error: unknown) => void },
): Promise<Server> {
  const server = createServer((request, response) => {
    const [, page, type, id, ...rest] = (request.url ?? '').split('/').map(decodeSegment)
    if (page === 'reconcile' && request.method === 'POST') {
      reconcile().then(
        () => response.writeHead(204).end(),
        (error: unknown) => {
          onError(error)
          response.writeHead(503).end()
        },
      )
      return
    }
    const isKnown = page === 'effects' && type !== undefined && id !== undefined && rest.length === 0
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(isKnown ? JSON.stringify(readEffects(type, id)) : undefined)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
