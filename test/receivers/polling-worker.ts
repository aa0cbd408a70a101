/**
 * A platform that stores notifications and processes them every two seconds. The code is written from the service's document and
 * the README, without knowledge of the checks. Each hole is an optional defect that models a common mistake in receivers.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IncomingMessage } from 'node:http'
import { flags, has, responding, serve, type Thing } from './program.ts'

interface Row {
  readonly seq: number
  readonly type: string
  readonly id: string
  readonly body: string
}

mkdirSync(flags.data, { recursive: true })
const db = new DatabaseSync(join(flags.data, 'platform.db'))
db.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS inbox (seq INTEGER PRIMARY KEY, type TEXT, id TEXT, body TEXT, done INTEGER DEFAULT 0);
  CREATE TABLE IF NOT EXISTS things (type TEXT, id TEXT, state TEXT, amount INTEGER, currency TEXT, updated TEXT, released INTEGER,
    PRIMARY KEY (type, id));
`)
const insert = db.prepare('INSERT INTO inbox (type, id, body) VALUES (?, ?, ?)')
const waiting = db.prepare('SELECT seq, type, id, body FROM inbox WHERE done = 0 ORDER BY seq')
const finish = db.prepare('UPDATE inbox SET done = 1 WHERE seq = ?')
const find = db.prepare('SELECT state, updated, released FROM things WHERE type = ? AND id = ?')
const save = db.prepare('INSERT OR REPLACE INTO things VALUES (?, ?, ?, ?, ?, ?, ?)')
const read = db.prepare(
  'SELECT released AS effects, state, amount, currency FROM things WHERE type = ? AND id = ?',
)

function readEffects(type: string, id: string): object {
  const { amount, currency, ...rest } = read.get(type, id) ?? { effects: 0, state: null }
  return amount === null || currency === null ? rest : { ...rest, amount, currency }
}

const TYPES = new Set(
  'items users batch_transactions accounts transactions disbursements companies virtual_accounts'.split(' '),
)

const RELEASES = new Set([
  'transactions deposit npp_payin successful',
  'transactions deposit direct_credit successful',
  'transactions deposit bpay successful',
  'transactions payment credit_card successful',
  'transactions payment wallet_account_transfer successful',
  'batch_transactions disbursement direct_credit successful',
  'batch_transactions disbursement bpay successful',
  'batch_transactions payment direct_debit successful',
])

function earnsRelease(type: string, thing: Thing): boolean {
  if (type === 'disbursements') return thing.state === 'successful' || isUnderWay(thing)
  if (type === 'virtual_accounts') return thing.status === 'active'
  const kind = `${type} ${thing.type} ${thing.type_method}`
  if (has('acts-on-intermediate') && isUnderWay(thing)) return RELEASES.has(`${kind} successful`)
  return RELEASES.has(`${kind} ${thing.state}`)
}

const isUnderWay = ({ state }: Thing) => has('acts-on-intermediate') && state === 'bank_processing'

let access: string | undefined

async function authorize(): Promise<string> {
  if (access !== undefined) return access
  const reply = await fetch(`${flags.service}/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"grant_type":"client_credentials","client_id":"sandbox","client_secret":"sandbox-secret"}',
    signal: AbortSignal.timeout(5_000),
  })
  if (!reply.ok) throw new Error(`no token: ${reply.status}`)
  const { access_token } = (await reply.json()) as { access_token: string }
  access = access_token
  return access_token
}

async function show(type: string, id: string, again = true): Promise<Thing | undefined> {
  const authorization = `Bearer ${await authorize()}`
  const url = `${flags.service}/${type}/${encodeURIComponent(id)}`
  const reply = await fetch(url, { headers: { authorization }, signal: AbortSignal.timeout(5_000) })
  if (reply.status === 401 && again) {
    access = undefined
    return show(type, id, false)
  }
  if (reply.status === 404) return undefined
  if (reply.status !== 200) throw new Error(`${url}: ${reply.status}`)
  const told = (await reply.json()) as Thing & Readonly<Record<string, Thing | undefined>>
  const thing: Thing | undefined = type === 'virtual_accounts' ? told : told[type]
  if (thing === undefined || (String(thing.id) !== id && thing.uuid !== id)) {
    throw new Error(`${url}: tells of something else`)
  }
  return thing
}

function settle({ type, id, body }: Row, shown: Thing): void {
  const posted = (JSON.parse(body) as Readonly<Record<string, Thing>>)[type] ?? { id }
  const thing = has('trusts-body') ? posted : shown
  const known = find.get(type, id)
  const updated = thing.updated_at ?? ''
  const isOld = known !== undefined && String(known['updated']) > updated
  const released = Number(known?.['released'] ?? 0)
  if (isOld && !has('downgrades')) return
  const isFirst = has('forgets-on-restart') ? !releasedHere.has(`${type} ${id}`) : released === 0
  const acts = earnsRelease(type, thing) && (isFirst || has('acts-on-each-copy'))
  if (acts) releasedHere.add(`${type} ${id}`)
  const told = has('downgrades') ? posted : thing
  const state = String(told.state ?? told.status ?? told.verification_state ?? '')
  save.run(
    type,
    id,
    state || null,
    thing.amount ?? null,
    thing.currency ?? null,
    updated,
    released + Number(acts),
  )
}

const remembered = new Set<string>()
const releasedHere = new Set<string>()

async function handle(rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const key = `${first.type} ${first.id}`
  if (has('dedupes-by-id') && remembered.has(key)) return rows.forEach(({ seq }) => finish.run(seq))
  const shown = has('trusts-body')
    ? first
    : await show(first.type, first.id).catch((error: unknown) => {
        if (has('ignores-show-failures')) return undefined
        throw error
      })
  db.exec('BEGIN')
  for (const row of rows) {
    if (shown) settle(row, shown)
    finish.run(row.seq)
  }
  db.exec('COMMIT')
  if (shown) remembered.add(key)
}

const POLL_MS = 2_000

async function poll(): Promise<void> {
  for (;;) {
    await sleep(POLL_MS)
    const rows = waiting.all() as unknown as readonly Row[]
    const groups = Object.values(Object.groupBy(rows, ({ type, id }) => `${type} ${id}`))
    const outcomes = await Promise.allSettled(groups.map((group) => handle(group ?? [])))
    for (const outcome of outcomes) if (outcome.status === 'rejected') console.error(String(outcome.reason))
  }
}

const LONGEST = 1_000_000

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

async function answer(request: IncomingMessage): Promise<number> {
  const [, , type = '', token] = (request.url ?? '').split('?', 1)[0]?.split('/') ?? []
  if (!TYPES.has(type) || (token !== flags.token && !has('any-token'))) return 404
  if (request.method !== 'POST') return 405
  if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) return 415
  const body = await readBody(request)
  if (body === undefined) return 413
  let posted: unknown
  try {
    posted = JSON.parse(body)
  } catch {
    return 400
  }
  if (typeof posted !== 'object' || posted === null) return 400
  if (typeof Reflect.get(posted, 'message') === 'string') return 204
  const thing: unknown = type === 'virtual_accounts' ? posted : Reflect.get(posted, type)
  const id: unknown = Reflect.get(Object(thing), 'id')
  if ((typeof id !== 'string' || !isUsable(id)) && !Number.isSafeInteger(id)) return 400
  const store = () => insert.run(type, String(id), body)
  if (has('answers-before-storing')) setTimeout(store, 1_000)
  else store()
  return 204
}

/** Returns true if the id can be a path segment. `..` would lead to the parent folder. */
const isUsable = (id: string) => id.length > 0 && id.length <= 200 && !/^\.+$/.test(id)

serve(responding(answer), readEffects)
void poll()
