/**
 * A receiver of the service's notifications that loses nothing and acts once. What it is notified of it keeps, answers, and only then asks
 * the service about: a notification may be old, a copy or a lie.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { canReplace, interpretBody, isDue, isNotifiedType, objectPath, parseKnownObject } from './service.mjs'

/** How far the service's clock may be from ours. */
const TOLERANCE_MS = 300_000
/** More than the service sends. */
const BODY_LIMIT = 1_048_576
/** So many objects are asked for at the same time. */
const AT_ONCE = 64
/** After a mistake of this code an object is tried again after so long. */
const AFTER_ERROR_MS = 60_000

/** Every decision by its name; `entries` is what is kept about one object, oldest first. */
export const policy = {
  isSigned,
  interpretBody: (body, { type }) => interpretBody(body, type),
  objectPath: ([{ type, id }]) => objectPath(type, id),
  parseKnownObject: (body, [{ type, id }]) => parseKnownObject(body, type, id),
  canReplace,
  isDue: (object) => isDue(object),
  effectKey: ({ type, id }) => `${type} ${id}`,
  retryDelay({ kind, retryAfterMs = 0 }, attempts) {
    // It may have been notified a moment too early, but not for longer.
    if (kind === 'missing' && attempts >= 3) return undefined
    return Math.max(Math.min(50 * 2 ** attempts, 60_000), retryAfterMs)
  },
}

/** Answers a request; `accept` keeps a notification, and nothing else is done while the sender waits. */
export function createEndpoint({ accept }, { token, allowed, secrets, clock = Date.now }, rules = policy) {
  return ({ method, path, headers, from, body }) => {
    const route = parseRoute(path, token)
    if (route === undefined) return { status: 404 }
    if (allowed && !allowed[route.generation].includes(from ?? '')) return { status: 403 }
    if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
    if (body === undefined) return { status: 413 }
    // Callbacks are never signed.
    if (secrets && route.generation === 'webhooks') {
      const header = headers['webhooks-signature']
      if (!rules.isSigned({ header, body, now: clock() }, secrets)) return { status: 401 }
    }
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return { status: 415 }
    const text = decodeText(body) ?? ''
    const posted = parseJson(text)
    const { kind, id } = posted === undefined ? { kind: 'foreign' } : rules.interpretBody(posted, route)
    if (kind === 'notification') accept({ ...route, id, body: text })
    return { status: kind === 'foreign' ? 400 : 204 }
  }
}

const FOLDERS = new Map([
  ['notifications', 'webhooks'],
  ['callbacks', 'callbacks'],
])

/** `/notifications/{object_type}/{token}` for webhooks, `/callbacks/…` for callbacks. */
function parseRoute(path, token) {
  const [root, folder, type, given = '', ...rest] = path.split('/')
  const generation = FOLDERS.get(folder)
  const isOurs = root === '' && rest.length === 0 && generation !== undefined && isNotifiedType(type)
  return isOurs && isSame(given, token) ? { generation, type } : undefined
}

/** Undefined if it is not UTF-8. */
export function decodeText(body) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether this was signed lately with one of our secrets. */
export function isSigned({ header, body, now }, secrets) {
  const signature = parseSignature(header)
  return signature !== undefined && isRecent(signature, now) && isMadeWith(secrets, signature, body)
}

/** `t=1257894000,v=MHs6…,v=Xw3q…`: a value for each secret that the service has. Undefined if it says no time. */
export function parseSignature(header = '') {
  const parts = header.split(',').map((part) => /^\s*([^=]+)=(.*?)\s*$/.exec(part) ?? [])
  const valuesOf = (wanted) => parts.flatMap(([, name, value]) => (name === wanted ? [value] : []))
  const [time = '', ...others] = valuesOf('t')
  return /^\d{1,15}$/.test(time) && others.length === 0 ? { time, values: valuesOf('v') } : undefined
}

/** Neither old nor of the future. */
export function isRecent({ time }, now) {
  return Math.abs(now - Number(time) * 1_000) <= TOLERANCE_MS
}

export function isMadeWith(secrets, { time, values }, body) {
  return secrets.some((secret) => values.some((value) => isSame(value, signatureOf(secret, time, body))))
}

/** Over the bytes as they came: JSON that is parsed and written again is another text. */
export function signatureOf(secret, time, body) {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest('base64url')
}

/** In constant time: how long it takes says nothing about how much was right. */
function isSame(given, right) {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Works on what is kept, and goes on at a start with what was left. */
export function openProcessor({ store, service, rules = policy, clock = Date.now, onError = console.error }) {
  /** Objects that are looked at just now: never twice at a time, since the two could end in the wrong order. */
  const running = new Map()
  let timer
  let isClosed = false

  function work() {
    if (isClosed) return
    clearTimeout(timer)
    const pending = Map.groupBy(store.entries(), ({ type, id }) => `${type} ${id}`)
    for (const [object, entries] of pending) {
      if (running.size >= AT_ONCE || running.has(object) || dueAt(entries) > clock()) continue
      const look = lookAt(entries, { store, service, rules, clock })
        .catch((error) => {
          onError(error)
          store.postpone(entries, clock() + AFTER_ERROR_MS)
        })
        .finally(() => {
          running.delete(object)
          work()
        })
      running.set(object, look)
    }
    const waiting = [...pending].filter(([object]) => !running.has(object)).map(([, all]) => dueAt(all))
    if (waiting.length > 0 && running.size < AT_ONCE)
      timer = setTimeout(work, Math.max(0, Math.min(...waiting) - clock()))
  }

  work()
  return {
    accept(notification) {
      store.put(notification, clock())
      // Not before the answer is on its way.
      setImmediate(work)
    },
    readEffects: (type, id) => store.readEffects(type, id),
    /** What is not processed stays in the store for the next start. */
    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.all(running.values())
      store.close()
    },
  }
}

/** Asks the service about the object of these notifications. Asks later again if the service cannot tell now. */
async function lookAt(entries, { store, service, rules, clock }) {
  const path = rules.objectPath(entries)
  if (path === undefined) return store.drop(entries)
  const result = await service.show(path)
  if (result.kind === 'shown') return store.settle(entries, conclude(entries, result.body, { store, rules }))
  const attempts = Math.max(...entries.map((each) => each.attempts))
  const delayMs = rules.retryDelay(result, attempts)
  return delayMs === undefined ? store.drop(entries) : store.postpone(entries, clock() + delayMs)
}

function conclude(entries, body, { store, rules }) {
  const now = rules.parseKnownObject(body, entries)
  if (now === undefined || !rules.canReplace(store.known(now.type, now.id), now)) return {}
  return { believed: now, key: rules.isDue(now, entries) ? rules.effectKey(now, entries) : undefined }
}

const dueAt = (entries) => Math.min(...entries.map((each) => each.dueAt))

/** Serves the endpoint over HTTPS; `sourceHeader` is where a trusted proxy says where a request comes from. */
export function serveEndpoint(endpoint, { cert, key, port, sourceHeader, onError = console.error }) {
  async function answer(request, response) {
    const body = await readBody(request)
    const {
      status,
      headers,
      body: text,
    } = await endpoint({
      method: request.method,
      path: request.url.split('?')[0],
      headers: request.headers,
      from: sourceHeader === undefined ? socketAddress(request) : request.headers[sourceHeader.toLowerCase()],
      body,
    })
    response.writeHead(status, headers).end(text)
  }
  const server = createHttpsServer({ cert, key, requestTimeout: 30_000 }, (request, response) => {
    answer(request, response).catch((error) => {
      // The sender learns nothing of the reason, and sends it again.
      onError(error)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  return listen(server, port)
}

/** Reads to the end in any case: an answer to half a request may get lost. Undefined if it is too long. */
async function readBody(request) {
  const chunks = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length <= BODY_LIMIT) chunks.push(chunk)
  }
  return length <= BODY_LIMIT ? Buffer.concat(chunks) : undefined
}

/** An IPv4 address as such, also where the socket has it within an IPv6 address. */
function socketAddress({ socket: { remoteAddress = '' } }) {
  return remoteAddress.startsWith('::ffff:') ? remoteAddress.slice(7) : remoteAddress
}

/** For those who test the platform, on this machine only: what was done about an object, and a way to look for what was missed. */
export function servePage({ readEffects, reconcile }, { port, onError = console.error }) {
  async function show({ method, url }) {
    const [, page, type, id, ...rest] = url.split('/').map(decodeURIComponent)
    if (page === 'effects' && id !== undefined && rest.length === 0)
      return { status: 200, json: readEffects(type, id) }
    if (page !== 'reconcile' || method !== 'POST') return { status: 404 }
    await reconcile()
    return { status: 204 }
  }
  async function answer(request, response) {
    const { status, json } = await show(request).catch((error) => {
      onError(error)
      return { status: 503 }
    })
    response.writeHead(status, { 'content-type': 'application/json' }).end(json && JSON.stringify(json))
  }
  return listen(
    createHttpServer((request, response) => void answer(request, response)),
    port,
  )
}

async function listen(server, port) {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    port: server.address().port,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
