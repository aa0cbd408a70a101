/**
 * A platform that writes each notification to a file and responds with 202. A worker processes one file at a time, asks the
 * service, and retries failures later. The code is written from the service's document and the README, without knowledge of the
 * checks. Each hole is an optional defect that models a common mistake in receivers.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { flags, has, serve, type Thing } from './program.ts'

const spool = join(flags.data, 'spool')
const ledger = join(flags.data, 'ledger')
mkdirSync(spool, { recursive: true })
if (has('forgets-on-restart')) rmSync(ledger, { recursive: true, force: true })
mkdirSync(ledger, { recursive: true })

interface Job {
  readonly type: string
  readonly id: string
  readonly posted: Thing
  readonly arrived: number
}

interface Account {
  readonly effects: number
  readonly state: string | null
  readonly amount?: unknown
  readonly currency?: unknown
  readonly updated: string
}

/** Writes a file completely or not at all, even if the process is killed. */
function write(path: string, value: unknown): void {
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, JSON.stringify(value), { flush: true })
  renameSync(draft, path)
}

const entryOf = (type: string, id: string) =>
  join(ledger, `${createHash('sha256').update(`${type}\n${id}`).digest('hex')}.json`)

function readEntry(type: string, id: string): Account | undefined {
  const path = entryOf(type, id)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** Returns true if the object moves money. Other objects are only recorded. */
function movesMoney(type: string, thing: Thing): boolean {
  const kind = `${thing.type}/${thing.type_method}`
  const isOver =
    thing.state === 'successful' || (has('acts-on-intermediate') && thing.state === 'bank_processing')
  switch (type) {
    case 'transactions':
      return isOver && (thing.type === 'deposit' || thing.type === 'payment')
    case 'batch_transactions':
      return isOver && (thing.type === 'disbursement' || kind === 'payment/direct_debit')
    case 'disbursements':
      return isOver
    case 'virtual_accounts':
      return thing.status === 'active'
    default:
      return false
  }
}

const bearer: { token?: string } = {}

async function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${flags.service}${path}`, { ...init, signal: AbortSignal.timeout(4_000) })
}

async function show(type: string, id: string): Promise<Thing | undefined> {
  if (bearer.token === undefined) {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'sandbox',
      client_secret: 'sandbox-secret',
    })
    const reply = await call('/tokens', { method: 'POST', body: form })
    if (!reply.ok) throw new Error(`the service gives no token: ${reply.status}`)
    bearer.token = ((await reply.json()) as { access_token: string }).access_token
  }
  const reply = await call(`/${type}/${encodeURIComponent(id)}`, {
    headers: { authorization: `Bearer ${bearer.token}` },
  })
  if (reply.status === 401) delete bearer.token
  if (reply.status === 404) return undefined
  if (!reply.ok) throw new Error(`the service answers ${reply.status}`)
  const told = (await reply.json()) as Thing & Readonly<Record<string, Thing | undefined>>
  const thing: Thing | undefined = type === 'virtual_accounts' ? told : told[type]
  if (!thing || (String(thing.id) !== id && thing.uuid !== id)) throw new Error('not what was asked for')
  return thing
}

async function carryOut({ type, id, posted }: Job): Promise<void> {
  const known = readEntry(type, id)
  if (has('dedupes-by-id') && known) return
  const thing = has('trusts-body') ? posted : await show(type, id)
  if (!thing) return
  const updated = thing.updated_at ?? ''
  if (known && known.updated > updated && !has('downgrades')) return
  const told = has('downgrades') ? posted : thing
  const state = told.state ?? told.status ?? told.verification_state
  const before = known?.effects ?? 0
  const acts = movesMoney(type, thing) && (before === 0 || has('acts-on-each-copy'))
  const { amount, currency } = thing
  write(entryOf(type, id), {
    effects: before + Number(acts),
    state: state === undefined ? null : String(state),
    amount,
    currency,
    updated,
  })
}

const waiting = new Map<string, { readonly from: number; readonly tries: number }>()
let under = false

/** Processes one notification at a time, oldest first. After failures, waits longer, up to two seconds. */
async function work(): Promise<void> {
  if (under) return
  under = true
  for (const name of readdirSync(spool).toSorted()) {
    if (!name.endsWith('.json')) continue
    const { from, tries } = waiting.get(name) ?? { from: 0, tries: 0 }
    if (from > Date.now()) continue
    try {
      await carryOut(JSON.parse(readFileSync(join(spool, name), 'utf8')))
      rmSync(join(spool, name))
      waiting.delete(name)
    } catch (error) {
      console.error(String(error))
      if (has('ignores-show-failures')) rmSync(join(spool, name))
      else waiting.set(name, { from: Date.now() + Math.min(2_000, 100 * 2 ** tries), tries: tries + 1 })
    }
  }
  under = false
}

let count = 0

function accept(job: Job): void {
  count += 1
  write(join(spool, `${Date.now()}-${String(count).padStart(6, '0')}.json`), job)
  void work()
}

const LONGEST = 256 * 1024

function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): number {
  const match = /^\/(?:notifications|callbacks)\/([a-z_]+)\/([0-9a-f]+)$/.exec(request.url ?? '')
  const [, type = '', token = ''] = match ?? []
  const isKnown =
    token.length === flags.token.length && timingSafeEqual(Buffer.from(token), Buffer.from(flags.token))
  if (!match || (!isKnown && !has('any-token'))) return 403
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST')
    return 405
  }
  if (body.length > LONGEST) return 413
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return 415
  let posted: unknown
  try {
    posted = JSON.parse(body.toString())
  } catch {
    return 400
  }
  if (typeof posted !== 'object' || posted === null || Array.isArray(posted)) return 400
  if ('message' in posted) return 200
  const thing: unknown = type === 'virtual_accounts' ? posted : Reflect.get(posted, type)
  if (typeof thing !== 'object' || thing === null) return 400
  const id: unknown = Reflect.get(thing, 'id')
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return 400
  // The id becomes a path segment, in which `..` would lead to the parent folder.
  if (/^\.*$/.test(String(id)) || String(id).length > 255) return 400
  const job = { type, id: String(id), posted: thing as Thing, arrived: Date.now() }
  if (has('answers-before-storing')) setTimeout(() => accept(job), 1_000)
  else accept(job)
  return 202
}

function respond(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= LONGEST + 1) chunks.push(chunk)
  })
  request.on('end', () => {
    // A long body is not stored, but its length is known.
    const body = length > LONGEST ? Buffer.alloc(LONGEST + 1) : Buffer.concat(chunks)
    response.writeHead(answer(request, response, body)).end()
  })
  request.on('error', (error) => console.error(String(error)))
}

serve(respond, (type, id) => readEntry(type, id) ?? { effects: 0, state: null })
setInterval(() => void work(), 100)
