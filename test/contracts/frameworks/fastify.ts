import { createServer, type RequestListener } from 'node:http'
import { fastify } from 'fastify'
import { isNotifiedType, interpretBody } from '../../../contracts/reference-receiver/notification.ts'
import type { Behind } from './platform.ts'

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** As people write it in Fastify: hooks before a route, and a content type parser that keeps the text. */
export async function fastifyReceiver({ core, isToken, isAllowed }: Behind): Promise<RequestListener> {
  let listener: RequestListener = () => {}
  const app = fastify({
    bodyLimit: 1_048_576,
    exposeHeadRoutes: false,
    serverFactory(handler, _options) {
      listener = handler
      return createServer()
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  app.setErrorHandler((error, _request, reply) => reply.code(statusOf(error)).send())
  app.setNotFoundHandler((_request, reply) => reply.code(404).send())

  for (const [folder, generation] of [
    ['notifications', 'webhooks'],
    ['callbacks', 'callbacks'],
  ] as const) {
    const url = `/${folder}/:type/:token`
    app.route<{ Params: { type: string; token: string } }>({
      url,
      method: METHODS,
      handler: ({ params: { type, token } }, reply) =>
        isNotifiedType(type) && isToken(token)
          ? reply.code(405).header('allow', 'POST').send()
          : reply.code(404).send(),
    })
    app.route<{ Params: { type: string; token: string }; Body: string }>({
      url,
      method: 'POST',
      async onRequest({ params: { type, token }, socket }, reply) {
        if (!isNotifiedType(type) || !isToken(token)) return reply.code(404).send()
        if (!isAllowed(generation, socket.remoteAddress)) return reply.code(403).send()
        return undefined
      },
      async handler({ params: { type }, body }, reply) {
        const meaning = isNotifiedType(type) ? interpretBody(JSON.parse(body), type) : undefined
        if (isNotifiedType(type) && meaning?.kind === 'notification')
          core.accept({ type, generation, id: meaning.id, body })
        return reply.code(!meaning || meaning.kind === 'foreign' ? 400 : 204).send()
      },
    })
  }
  await app.ready()
  return listener
}

function statusOf(error: unknown): number {
  if (error instanceof SyntaxError) return 400
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : undefined
  return typeof status === 'number' ? status : 500
}
