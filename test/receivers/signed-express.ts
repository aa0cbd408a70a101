/**
 * A platform in Express and SQLite with signed webhooks. A route verifies the bytes as the README says, stores the notification
 * in a table and responds with 200. Shortly afterwards, the platform fetches the object from the service. The code was written
 * from the service's document and the README, without knowledge of the checks. Each `hole` is an optional defect that models a
 * mistake in real receivers.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express'
import { flags, has, idIn, isTest, serve, show, type Thing } from './program.ts'

mkdirSync(flags.data, { recursive: true })
const database = new DatabaseSync(join(flags.data, 'platform.db'))
database.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS todo (type TEXT, id TEXT, arrival TEXT, tries INTEGER, due INTEGER, PRIMARY KEY (type, id));
  CREATE TABLE IF NOT EXISTS books (type TEXT, id TEXT, state TEXT, updated INTEGER, effects INTEGER, amount INTEGER,
    currency TEXT, PRIMARY KEY (type, id));
`)
const note = database.prepare(`
  INSERT INTO todo VALUES (?, ?, hex(randomblob(8)), 0, 0)
  ON CONFLICT DO UPDATE SET arrival = excluded.arrival, tries = 0, due = 0`)
const due = database.prepare('SELECT * FROM todo WHERE due <= ? ORDER BY rowid')
const done = database.prepare('DELETE FROM todo WHERE type = ? AND id = ? AND arrival = ?')
const later = database.prepare('UPDATE todo SET tries = tries + 1, due = ? WHERE type = ? AND id = ?')
const entry = database.prepare('SELECT effects, state, amount, currency FROM books WHERE type = ? AND id = ?')
const book = database.prepare(`
  INSERT INTO books VALUES (:type, :id, :state, :updated, :acts, :amount, :currency)
  ON CONFLICT DO UPDATE SET state = :state, updated = :updated, effects = MAX(effects, :acts), amount = :amount
  WHERE updated <= :updated`)

/**
 * Verifies `t=…,v=…`. During a secret rotation, the header has a second `v`. Decodes the signatures before the comparison, so
 * that their padding does not matter.
 */
const verify: RequestHandler = (request, response, next) => {
  const header = request.get('Webhooks-signature')
  if (header === undefined && has('signature-may-be-missing')) return next()
  const parts = (header ?? '').split(',').map((part) => part.trim().split('='))
  const all = has('keeps-the-last-v') ? [...new Map(parts.map(([name, value]) => [name, value]))] : parts
  const time = all.find(([name]) => name === 't')?.[1] ?? ''
  const isTimely = has('takes-any-age') || Math.abs(Date.now() / 1_000 - Number(time)) < 300
  const body = has('verifies-parsed-json') ? JSON.stringify(JSON.parse(String(request.body))) : request.body
  const wanted = createHmac('sha256', flags.secret).update(`${time}.`).update(body).digest()
  const isSigned = all.some(([name, value = '']) => {
    const given = Buffer.from(value, 'base64url')
    return name === 'v' && given.length === wanted.length && timingSafeEqual(given, wanted)
  })
  if (isTimely && isSigned) return next()
  response.sendStatus(401)
}

const take: RequestHandler<{ readonly type: string }> = (request, response) => {
  const { type } = request.params
  const posted: object = Object(JSON.parse(String(request.body)))
  if (isTest(posted)) {
    response.sendStatus(200)
    return
  }
  const id = idIn(type, posted)
  if (id !== undefined) note.run(type, id)
  response.sendStatus(id === undefined ? 400 : 200)
  setImmediate(work)
}

const TYPES =
  /^(items|users|accounts|companies|transactions|batch_transactions|disbursements|virtual_accounts)$/
const isToken = (given: string) =>
  given.length === flags.token.length && timingSafeEqual(Buffer.from(given), Buffer.from(flags.token))

const known: RequestHandler<{ readonly type: string; readonly token: string }> = ({ params }, _, next) => {
  next(TYPES.test(params.type) && isToken(params.token) ? undefined : 'route')
}
const json: RequestHandler = (request: Request, response, next) => {
  if (request.is('application/json')) next()
  else response.sendStatus(415)
}
const read = express.raw({ type: 'application/json', limit: '512kb' })

const app = express().disable('x-powered-by').set('strict routing', true).set('case sensitive routing', true)
app.route('/notifications/:type/:token').all(known).post(json, read, verify, take).all(refuseMethod)
app.route('/callbacks/:type/:token').all(known).post(json, read, take).all(refuseMethod)
app.use((_, response) => void response.sendStatus(404))

function refuseMethod(_: Request, response: express.Response): void {
  response.set('allow', 'POST').sendStatus(405)
}

// oxlint-disable-next-line max-params -- Express recognizes an error handler by its four parameters
const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  const status: unknown = error instanceof SyntaxError ? 400 : Reflect.get(Object(error), 'status')
  response.sendStatus(typeof status === 'number' ? status : 500)
}
app.use(onError)

/** Returns true if the object completes a payment that this platform books. */
function isMoney(type: string, { type: kind, type_method, state, status }: Thing): boolean {
  if (type === 'virtual_accounts') return status === 'active'
  if (state !== 'successful') return false
  if (type === 'batch_transactions') return kind === 'disbursement' || type_method === 'direct_debit'
  return type === 'transactions' || type === 'disbursements'
}

async function look({ type, id, arrival, tries }: Readonly<Record<string, unknown>>): Promise<void> {
  const [ofType, key] = [String(type), String(id)]
  try {
    const shown = await show(ofType, key)
    if (shown) {
      const {
        state = shown.status ?? shown.verification_state ?? null,
        amount = null,
        currency = null,
      } = shown
      const updated = Date.parse(shown.updated_at ?? '') || 0
      const acts = Number(isMoney(ofType, shown))
      book.run({ type: ofType, id: key, state, updated, acts, amount, currency })
      done.run(ofType, key, String(arrival))
      return
    }
    if (Number(tries) >= 3) return void done.run(ofType, key, String(arrival))
  } catch (error) {
    console.error(String(error))
  }
  later.run(Date.now() + Math.min(2_000, 50 * 2 ** Number(tries)), ofType, key)
}

const underWay = new Set<string>()
function work(): void {
  for (const row of due.all(Date.now())) {
    const name = `${String(row['type'])} ${String(row['id'])}`
    if (underWay.has(name)) continue
    underWay.add(name)
    void look(row).finally(() => {
      underWay.delete(name)
      work()
    })
  }
}
setInterval(work, 50)

serve(app, (type, id) => entry.get(type, id) ?? { effects: 0, state: null })
