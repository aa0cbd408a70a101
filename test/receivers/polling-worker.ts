/**
 * A platform that stores notifications and processes them every two seconds. The code was written from the service's document and
 * the README, without knowledge of the checks. Each `hole` is an optional defect that models a common mistake in receivers.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IncomingMessage } from 'node:http'
import { flags, has, idIn, isTest, readPosted, responding, serve, show, type Thing } from './program.ts'

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

async function answer(request: IncomingMessage): Promise<number> {
  const [, , type = '', token] = (request.url ?? '').split('?', 1)[0]?.split('/') ?? []
  if (!TYPES.has(type) || (token !== flags.token && !has('any-token'))) return 404
  const posted = await readPosted(request)
  if (typeof posted === 'number') return posted
  if (isTest(posted)) return 204
  const id = idIn(type, posted)
  if (id === undefined) return 400
  const store = () => insert.run(type, id, JSON.stringify(posted))
  if (has('answers-before-storing')) setTimeout(store, 1_000)
  else store()
  return 204
}

serve(responding(answer), readEffects)
void poll()
