/**
 * A platform that writes each notification to a file and responds with 202. A worker processes one file at a time, fetches the
 * object, and retries failures later. The code was written from the service's document and the README, without knowledge of the
 * checks. Each `hole` is an optional defect that models a common mistake in receivers.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IncomingMessage } from 'node:http'
import { flags, has, idIn, isTest, readPosted, responding, serve, show, type Thing } from './program.ts'

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

/** Returns true if the object moves money. Objects that move no money are only recorded. */
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

async function answer(request: IncomingMessage): Promise<number> {
  const match = /^\/(?:notifications|callbacks)\/([a-z_]+)\/([0-9a-f]+)$/.exec(request.url ?? '')
  const [, type = '', token = ''] = match ?? []
  const isKnown =
    token.length === flags.token.length && timingSafeEqual(Buffer.from(token), Buffer.from(flags.token))
  if (!match || (!isKnown && !has('any-token'))) return 403
  const posted = await readPosted(request)
  if (typeof posted === 'number') return posted
  if (isTest(posted)) return 200
  const id = idIn(type, posted)
  if (id === undefined) return 400
  const thing: Thing = type === 'virtual_accounts' ? posted : Reflect.get(posted, type)
  const job = { type, id, posted: thing, arrived: Date.now() }
  if (has('answers-before-storing')) setTimeout(() => accept(job), 1_000)
  else accept(job)
  return 202
}

serve(responding(answer), (type, id) => readEntry(type, id) ?? { effects: 0, state: null })
setInterval(() => void work(), 100)
