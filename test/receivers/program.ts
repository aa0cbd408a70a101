import { readFileSync } from 'node:fs'
import { createServer as createPage } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { parseArgs } from 'node:util'

const text = { type: 'string', default: '' } as const

/** The flags that each receiver program accepts. `hole` names the mistake that the receiver makes. */
export const { values: flags } = parseArgs({
  options: {
    port: text,
    'effects-port': text,
    cert: text,
    key: text,
    data: text,
    service: text,
    token: text,
    secret: text,
    hole: text,
  },
})
export const has = (hole: string) => flags.hole === hole

/** The fields that the platforms read. */
export interface Thing {
  readonly id: string | number
  readonly uuid?: string
  readonly type?: string
  readonly type_method?: string
  readonly state?: string
  readonly status?: string | number
  readonly verification_state?: string
  readonly amount?: number
  readonly currency?: string
  readonly updated_at?: string
}

/** Responds with the status of `answer`, and with 500 if it fails. */
export function responding(answer: (request: IncomingMessage) => Promise<number>): RequestListener {
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const status = await answer(request).catch(() => 500)
    if (status === 413) response.setHeader('connection', 'close')
    if (status === 405) response.setHeader('allow', 'POST')
    response.writeHead(status).end()
  }
  return (request, response) => void respond(request, response)
}

/** Serves notifications and a page with the effects of each object. Prints `ready` when the receiver and the page accept connections. */
export function serve(receive: RequestListener, readEffects: (type: string, id: string) => object): void {
  const tls = { cert: readFileSync(flags.cert), key: readFileSync(flags.key) }
  const page = createPage((request, response) => {
    const [, , type = '', id = ''] = (request.url ?? '').split('/').map(decodeURIComponent)
    response.end(JSON.stringify(readEffects(type, id)))
  })
  createServer(tls, receive).listen(Number(flags.port), 'localhost', () => {
    page.listen(Number(flags['effects-port']), '127.0.0.1', () => console.log('ready'))
  })
}
