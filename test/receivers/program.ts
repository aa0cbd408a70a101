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

let token: Promise<string> | undefined

async function fetchToken(): Promise<string> {
  const reply = await fetch(`${flags.service}/tokens`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'sandbox',
      client_secret: 'sandbox-secret',
    }),
    signal: AbortSignal.timeout(4_000),
  })
  if (!reply.ok) throw new Error(`no token: ${reply.status}`)
  return String(Reflect.get(Object(await reply.json()), 'access_token'))
}

/** Fetches an object. Undefined if the service does not know the object. Gets a new token once if the token has expired. */
export async function show(type: string, id: string, isSecondTry = false): Promise<Thing | undefined> {
  token ??= fetchToken()
  const authorization = await token.then(
    (value) => `Bearer ${value}`,
    (error: unknown) => {
      token = undefined
      throw error
    },
  )
  const reply = await fetch(`${flags.service}/${type}/${encodeURIComponent(id)}`, {
    headers: { authorization },
    signal: AbortSignal.timeout(4_000),
  })
  if (reply.status === 401) {
    token = undefined
    if (!isSecondTry) return show(type, id, true)
  }
  if (reply.status === 404) return undefined
  if (!reply.ok) throw new Error(`the service answers ${reply.status}`)
  const body = (await reply.json()) as Thing & Readonly<Record<string, Thing | undefined>>
  const thing: Thing | undefined = type === 'virtual_accounts' ? body : body[type]
  if (thing === undefined || (String(thing.id) !== id && thing.uuid !== id)) throw new Error('another object')
  return thing
}

const LONGEST = 500_000

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > LONGEST) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Reads a JSON object from a POST. For any other request, returns an error status. */
export async function readPosted(request: IncomingMessage): Promise<object | number> {
  if (request.method !== 'POST') return 405
  if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) return 415
  const body = await readBody(request)
  if (body === undefined) return 413
  try {
    const posted: unknown = JSON.parse(body)
    return typeof posted === 'object' && posted !== null && !Array.isArray(posted) ? posted : 400
  } catch {
    return 400
  }
}

export const isTest = (posted: object) => typeof Reflect.get(posted, 'message') === 'string'

/** Returns the id of the notified object. Undefined if the id cannot be a path segment. `..` would lead to the parent folder. */
export function idIn(type: string, posted: object): string | undefined {
  const thing: unknown = type === 'virtual_accounts' ? posted : Reflect.get(posted, type)
  const id: unknown = Reflect.get(Object(thing), 'id')
  if (typeof id !== 'string') return Number.isSafeInteger(id) ? String(id) : undefined
  return id.isWellFormed() && id.length <= 255 && !/^\.*$/.test(id) ? id : undefined
}

/** Responds with the result of `answer`, or with 500 if `answer` fails. */
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
