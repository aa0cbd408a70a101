import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import {
  type Generation,
  isNotifiedType,
  interpretBody,
} from '../../../contracts/reference-receiver/notification.ts'
import type { Behind } from './platform.ts'

interface Context {
  readonly params: Promise<{ readonly folder: string; readonly type: string; readonly token: string }>
}

type RouteHandler = (request: Request, context: Context) => Promise<Response>

/** As people write it for Next: `app/[folder]/[type]/[token]/route.ts`, which exports a function for each method. */
function routeOf({ core, isToken, isAllowed }: Behind): { readonly POST: RouteHandler } {
  return {
    async POST(request, { params }) {
      const { folder, type, token } = await params
      const generation = GENERATIONS.get(folder)
      if (!generation || !isNotifiedType(type) || !isToken(token)) return new Response(null, { status: 404 })
      const from = request.headers.get('x-forwarded-for') ?? undefined
      if (!isAllowed(generation, from)) return new Response(null, { status: 403 })
      const contentType = request.headers.get('content-type') ?? ''
      if (!/^application\/json\s*(;|$)/i.test(contentType)) return new Response(null, { status: 415 })
      if (Number(request.headers.get('content-length') ?? 0) > BODY_LIMIT)
        return new Response(null, { status: 413 })
      const body = await request.text()
      try {
        const meaning = interpretBody(JSON.parse(body), type)
        if (meaning.kind === 'notification') core.accept({ type, generation, id: meaning.id, body })
        return new Response(null, { status: meaning.kind === 'foreign' ? 400 : 204 })
      } catch (error) {
        return new Response(null, { status: error instanceof SyntaxError ? 400 : 500 })
      }
    },
  }
}

const GENERATIONS: ReadonlyMap<string, Generation> = new Map([
  ['notifications', 'webhooks'],
  ['callbacks', 'callbacks'],
])
const BODY_LIMIT = 1_048_576

/** What Next does around a route handler, as far as it shows: it answers other methods, and names where a request comes from. */
export function nextReceiver(behind: Behind): RequestListener {
  const route = routeOf(behind)
  return (incoming, outgoing) => {
    serve(route, incoming, outgoing).catch(() => outgoing.writeHead(500).end())
  }
}

async function serve(
  { POST }: { readonly POST: RouteHandler },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(incoming.url ?? '/', 'https://localhost')
  const [, folder = '', type = '', token = '', ...rest] = pathname.split('/')
  const body = await buffer(incoming)
  if (rest.length > 0) return void outgoing.writeHead(404).end()
  if (incoming.method !== 'POST') return void outgoing.writeHead(405, { allow: 'POST' }).end()
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, String(value))
  headers.set('x-forwarded-for', incoming.socket.remoteAddress ?? '')
  const request = new Request(`https://localhost${pathname}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  })
  const response = await POST(request, { params: Promise.resolve({ folder, type, token }) })
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(await response.text())
}
