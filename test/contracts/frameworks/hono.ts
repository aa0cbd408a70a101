import type { RequestListener } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { isNotifiedType, interpretBody } from '../../../contracts/reference-receiver/notification.ts'
import type { Behind } from './platform.ts'

/** As people write it in Hono: middleware on a path, then the handler. */
export function honoReceiver({ core, isToken, isAllowed }: Behind): RequestListener {
  const app = new Hono<{ Bindings: HttpBindings }>()
  for (const [folder, generation] of [
    ['notifications', 'webhooks'],
    ['callbacks', 'callbacks'],
  ] as const) {
    const path = `/${folder}/:type/:token` as const
    app.use(path, async (c, next) => {
      if (!isNotifiedType(c.req.param('type')) || !isToken(c.req.param('token'))) return c.body(null, 404)
      if (c.req.method !== 'POST') return c.body(null, 405, { allow: 'POST' })
      if (!isAllowed(generation, c.env.incoming.socket.remoteAddress)) return c.body(null, 403)
      return next()
    })
    app.post(path, bodyLimit({ maxSize: 1_048_576, onError: (c) => c.body(null, 413) }), async (c) => {
      if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '')) return c.body(null, 415)
      const type = c.req.param('type')
      const body = await c.req.text()
      const meaning = isNotifiedType(type) ? interpretBody(JSON.parse(body), type) : undefined
      if (isNotifiedType(type) && meaning?.kind === 'notification')
        core.accept({ type, generation, id: meaning.id, body })
      return c.body(null, !meaning || meaning.kind === 'foreign' ? 400 : 204)
    })
  }
  app.notFound((c) => c.body(null, 404))
  app.onError((error, c) => c.body(null, error instanceof SyntaxError ? 400 : 500))
  const listener = getRequestListener(app.fetch)
  return (incoming, outgoing) => void listener(incoming, outgoing)
}
