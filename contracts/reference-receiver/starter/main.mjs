/**
 * A receiver of the service's notifications that loses nothing and acts once, to start from. It needs Node 22.19 or newer, and no
 * package. What it is notified of it keeps, answers, and only then asks the service about: a notification may be old, a copy or a lie.
 * Your platform acts in `act()`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer as createPage } from 'node:http'
import { createServer } from 'node:https'
import { canReplace, isTestMessage, listMissed, readId, readObject, show, TYPES } from './service.mjs'
import { conclude, dropAll, keepNotification, listNotifications, postponeAll, readEffects } from './store.mjs'

const { env } = process
/** The part of the addresses that nobody can guess. */
const TOKEN = env.RECEIVER_TOKEN ?? '3f9c1d2ab47e8051c6d20a94e7b1358f'
/** What webhooks are signed with, two with a comma between while it changes; without any, signatures are not looked at. */
const SECRETS = (env.RECEIVER_SECRETS ?? '').split(',').filter(Boolean)
/** How far the service's clock may be from ours. */
const TOLERANCE_MS = 300_000
/** More than the service sends. */
const BODY_LIMIT = 1_048_576
/** So many objects are asked for at the same time. */
const AT_ONCE = 64
/** A test lets days pass by it. */
const aheadMs = env.HOOKBENCH_NOW ? Date.parse(env.HOOKBENCH_NOW) - Date.now() : 0

/**
 * Called once for each object that you act on, within the transaction that remembers it: keep the order to release goods or to credit a
 * balance in the same database, and carry it out from there. What throws here is tried again.
 */
function act({ type, id, details }) {
  console.log(`Acting on ${type} ${id}`, details)
}

/** The status that a notification is answered with: 204 once it is kept. */
function receive({ method, url = '', headers }, body) {
  const [, folder, type, token = '', ...rest] = url.split('?')[0].split('/')
  const isWebhook = folder === 'notifications'
  const isOurs = (isWebhook || folder === 'callbacks') && TYPES.has(type) && rest.length === 0
  if (!isOurs || !isSame(token, TOKEN)) return 404
  if (method !== 'POST') return 405
  if (body === undefined) return 413
  // Callbacks are never signed.
  if (isWebhook && SECRETS.length > 0 && !isSigned(headers['webhooks-signature'], body)) return 401
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return 415
  const posted = parse(body)
  const id = readId(posted, type)
  if (id === undefined) return isTestMessage(posted) ? 204 : 400
  keepNotification(type, id)
  // Not before the answer is on its way.
  setImmediate(work)
  return 204
}

/** `t=1257894000,v=MHs6…,v=Xw3q…`: a value for each secret that the service has, over the bytes as they came. */
function isSigned(header = '', body) {
  const parts = header.split(',').map((part) => /^\s*([^=]+)=(.*?)\s*$/.exec(part) ?? [])
  const valuesOf = (wanted) => parts.flatMap(([, name, value]) => (name === wanted ? [value] : []))
  const [time = '', ...others] = valuesOf('t')
  if (!/^\d{1,15}$/.test(time) || others.length > 0) return false
  if (Math.abs(Date.now() + aheadMs - Number(time) * 1_000) > TOLERANCE_MS) return false
  return SECRETS.some((secret) => {
    const right = createHmac('sha256', secret).update(`${time}.`).update(body).digest('base64url')
    return valuesOf('v').some((value) => isSame(value, right))
  })
}

/** In constant time: how long it takes says nothing about how much was right. */
function isSame(given, right) {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Undefined if it is not JSON in UTF-8. */
function parse(body) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

/** Objects that are looked at just now: never twice at a time, since the two could end in the wrong order. */
const running = new Set()
let timer

/** Looks at what is kept and due; goes on at a start with what was left. */
function work() {
  clearTimeout(timer)
  const pending = Map.groupBy(listNotifications(), ({ type, id }) => `${type} ${id}`)
  for (const [object, notifications] of pending) {
    if (running.size >= AT_ONCE || running.has(object) || dueAt(notifications) > Date.now()) continue
    running.add(object)
    lookAt(notifications)
      .catch((error) => {
        console.error(error)
        postponeAll(notifications, Date.now() + 60_000)
      })
      .finally(() => {
        running.delete(object)
        work()
      })
  }
  const waiting = [...pending].filter(([object]) => !running.has(object)).map(([, all]) => dueAt(all))
  if (waiting.length === 0 || running.size >= AT_ONCE) return
  timer = setTimeout(work, Math.max(0, Math.min(...waiting) - Date.now()))
}

const dueAt = (notifications) => Math.min(...notifications.map((each) => each.dueAt))

/** Asks the service about the object that they are about; later again where it cannot tell now. */
async function lookAt(notifications) {
  const [{ type, id }] = notifications
  // No segment of a path, however it is written.
  if (id === '.' || id === '..') return dropAll(notifications)
  const { body, isMissing = false, retryAfterMs = 0 } = await show(`/${type}/${encodeURIComponent(id)}`)
  if (body !== undefined) return conclude(notifications, readObject(body, type, id), { canReplace, act })
  const attempts = Math.max(...notifications.map((each) => each.attempts))
  // It may have been notified a moment too early, but not for longer.
  if (isMissing && attempts >= 3) return dropAll(notifications)
  postponeAll(notifications, Date.now() + Math.max(Math.min(50 * 2 ** attempts, 60_000), retryAfterMs))
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

/** For those who test the platform, on this machine only: what was done about an object, and a way to look for what was missed. */
async function showPage({ method, url = '' }) {
  const [, page, type, id] = url.split('/').map(decodeURIComponent)
  if (page === 'effects' && id !== undefined) return { status: 200, json: readEffects(type, id) }
  if (page !== 'reconcile' || method !== 'POST') return { status: 404 }
  for (const [missedType, missedId] of await listMissed()) keepNotification(missedType, missedId)
  work()
  return { status: 204 }
}

const tls = {
  cert: readFileSync(env.RECEIVER_CERT ?? 'localhost.crt.pem'),
  key: readFileSync(env.RECEIVER_KEY ?? 'localhost.key.pem'),
}
async function answer(request, response) {
  let status = 500
  try {
    status = receive(request, await readBody(request))
  } catch (error) {
    // The sender learns nothing of the reason, and sends it again.
    console.error(error)
  }
  response.writeHead(status, status === 405 ? { allow: 'POST' } : {}).end()
}

async function answerPage(request, response) {
  const { status, json } = await showPage(request).catch(() => ({ status: 503 }))
  response.writeHead(status, { 'content-type': 'application/json' }).end(json && JSON.stringify(json))
}

const page = createPage((request, response) => void answerPage(request, response))
const server = createServer(
  { ...tls, requestTimeout: 30_000 },
  (request, response) => void answer(request, response),
)
server.listen(Number(env.RECEIVER_PORT ?? 9443), '127.0.0.1', () => {
  page.listen(Number(env.RECEIVER_PAGE_PORT ?? 9444), '127.0.0.1', () => console.log('ready'))
})
work()
