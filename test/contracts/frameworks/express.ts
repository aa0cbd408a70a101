import express, { type ErrorRequestHandler, type Express } from 'express'
import { isNotifiedType, interpretBody } from '../../../contracts/reference-receiver/notification.ts'
import type { Behind } from './platform.ts'

/** As people write it in Express: a route, a body parser for it alone, and an error handler that says nothing. */
export function expressReceiver({ core, isToken, isAllowed }: Behind): Express {
  const app = express()
    .disable('x-powered-by')
    .set('strict routing', true)
    .set('case sensitive routing', true)

  for (const [folder, generation] of [
    ['notifications', 'webhooks'],
    ['callbacks', 'callbacks'],
  ] as const) {
    app
      .route(`/${folder}/:type/:token`)
      .all(({ params: { type, token } }, _, next) => {
        next(isNotifiedType(type) && isToken(token) ? undefined : 'route')
      })
      .post(({ socket }, response, next) => {
        if (isAllowed(generation, socket.remoteAddress)) next()
        else response.sendStatus(403)
      })
      .post((request, response, next) => {
        if (request.is('application/json')) next()
        else response.sendStatus(415)
      })
      .post(express.text({ type: 'application/json', limit: '1mb' }), (request, response) => {
        const { type } = request.params
        const text = String(request.body)
        const meaning = isNotifiedType(type) ? interpretBody(JSON.parse(text), type) : undefined
        if (isNotifiedType(type) && meaning?.kind === 'notification')
          core.accept({ type, generation, id: meaning.id, body: text })
        response.sendStatus(!meaning || meaning.kind === 'foreign' ? 400 : 204)
      })
      .all((_, response) => void response.set('allow', 'POST').sendStatus(405))
  }

  app.use((_, response) => void response.sendStatus(404))
  // oxlint-disable-next-line max-params -- Express knows the handler of errors by its four parameters
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    response.sendStatus(error instanceof SyntaxError ? 400 : statusOf(error))
  }
  return app.use(onError)
}

/** The body parser's own word for what was wrong with a request; 500 for what is wrong with us. */
function statusOf(error: unknown): number {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined
  return typeof status === 'number' ? status : 500
}
