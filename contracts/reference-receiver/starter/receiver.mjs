/**
 * A receiver that loses no notification and acts once on each object. The receiver stores a notification and responds. Then the receiver fetches the object from the service, because a notification can be old, duplicated or forged.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { canReplace, interpretBody, isDue, isNotifiedType, objectPath, parseKnownObject } from './service.mjs'

/** The maximum difference between the time in a signature and the clock of this machine, in milliseconds. */
const TOLERANCE_MS = 300_000
/** The maximum size of a request body in bytes. The service sends smaller bodies. */
const BODY_LIMIT = 1_048_576
/** The maximum number of concurrent calls to the service. */
const AT_ONCE = 64
/** The time until the receiver tries an object again after an unexpected error, in milliseconds. */
const AFTER_ERROR_MS = 60_000

/** The decisions of the receiver, by name. `entries` are the stored notifications of one object, oldest first. */
export const policy = {
  isSigned,
  interpretBody: (body, { type }) => interpretBody(body, type),
  objectPath: ([{ type, id }]) => objectPath(type, id),
  parseKnownObject: (body, [{ type, id }]) => parseKnownObject(body, type, id),
  canReplace,
  isDue: (object) => isDue(object),
  effectKey: ({ type, id }) => `${type} ${id}`,
  retryDelay({ kind, retryAfterMs = 0 }, attempts) {
    // The service may return 404 for an object shortly after its notification, but not for long.
    if (kind === 'missing' && attempts >= 3) return undefined
    return Math.max(Math.min(50 * 2 ** attempts, 60_000), retryAfterMs)
  },
}

/** Creates the request handler. `accept` stores a notification. All other work happens after the response. */
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

/** Parses `/notifications/{object_type}/{token}` for webhooks, `/callbacks/…` for callbacks. */
function parseRoute(path, token) {
  const [root, folder, type, given = '', ...rest] = path.split('/')
  const generation = FOLDERS.get(folder)
  const isOurs = root === '' && rest.length === 0 && generation !== undefined && isNotifiedType(type)
  return isOurs && isSame(given, token) ? { generation, type } : undefined
}

/** Decodes UTF-8. Returns undefined if the bytes are not valid UTF-8. */
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

/** Returns true if the body was signed recently with one of the secrets. */
export function isSigned({ header, body, now }, secrets) {
  const signature = parseSignature(header)
  return signature !== undefined && isRecent(signature, now) && isMadeWith(secrets, signature, body)
}

/** Parses `t=1257894000,v=MHs6…,v=Xw3q…`, with one `v` for each secret of the service. Returns undefined if the header has no valid time. */
export function parseSignature(header = '') {
  const parts = header.split(',').map((part) => /^\s*([^=]+)=(.*?)\s*$/.exec(part) ?? [])
  const valuesOf = (wanted) => parts.flatMap(([, name, value]) => (name === wanted ? [value] : []))
  const [time = '', ...others] = valuesOf('t')
  return /^\d{1,15}$/.test(time) && others.length === 0 ? { time, values: valuesOf('v') } : undefined
}

/** Returns true if the time is neither too old nor in the future. */
export function isRecent({ time }, now) {
  return Math.abs(now - Number(time) * 1_000) <= TOLERANCE_MS
}

export function isMadeWith(secrets, { time, values }, body) {
  return secrets.some((secret) => values.some((value) => isSame(value, signatureOf(secret, time, body))))
}

/** Returns the signature of a body. Signs the received bytes, because JSON that is parsed and written again can differ. */
export function signatureOf(secret, time, body) {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest('base64url')
}

/** Compares two texts in constant time, so that the duration reveals nothing about the secret. */
function isSame(given, right) {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Processes the stored notifications. After a restart, continues with the unprocessed notifications. */
export function openProcessor({ store, service, rules = policy, clock = Date.now, onError = console.error }) {
  /** The objects in progress. Each object has only one call at a time, because two concurrent calls could finish in the wrong order. */
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
      // Starts the work after the response is sent.
      setImmediate(work)
    },
    readEffects: (type, id) => store.readEffects(type, id),
    /** Unprocessed notifications stay in the store until the next start. */
    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.all(running.values())
      store.close()
    },
  }
}

/** Fetches the object of these notifications from the service. If the service is unavailable, tries again later. */
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

/** Serves the endpoint over HTTPS. `sourceHeader` is the name of the header in which a trusted proxy sends the source address. */
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
      // The response does not contain the cause of the error. The service sends the notification again.
      onError(error)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  return listen(server, port)
}

/**
 * Reads the complete body, even of a request that is too long. A response to an incomplete request can get lost. Returns
 * undefined if the body is too long.
 */
async function readBody(request) {
  const chunks = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length <= BODY_LIMIT) chunks.push(chunk)
  }
  return length <= BODY_LIMIT ? Buffer.concat(chunks) : undefined
}

/** Returns the source address. Removes the IPv6 prefix `::ffff:` from an IPv4 address. */
function socketAddress({ socket: { remoteAddress = '' } }) {
  return remoteAddress.startsWith('::ffff:') ? remoteAddress.slice(7) : remoteAddress
}

/** Serves a page for the checks, on this machine only. The page shows the effects on an object, and can start a search for missed notifications. */
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
