import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Processor } from './processor.ts'
import type { Server } from './https-server.ts'

/**
 * Shows what was done about an object, for those who check us: `GET /effects/{object_type}/{id}` answers
 * `{"effects": n, "state": "…" | null, "amount"?: minor units, "currency"?, "user_id"?, "account_id"?}`. On loopback only.
 */
export async function serveEffects(processor: Pick<Processor, 'readEffects'>, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const [, page, type, id, ...rest] = (request.url ?? '').split('/').map(decodeSegment)
    const isKnown = page === 'effects' && type !== undefined && id !== undefined && rest.length === 0
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(isKnown ? JSON.stringify(processor.readEffects(type, id)) : undefined)
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
