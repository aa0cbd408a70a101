import { inMain, inReceiver, inService, inStore, type AreaDefect, type Edit } from './defect.ts'

const ACTS = 'CREATE TABLE IF NOT EXISTS acts (key TEXT PRIMARY KEY, type TEXT, id TEXT, object TEXT);'
const INSERT = 'const insert = database.prepare(INSERT)'

export const persistenceDefects: readonly AreaDefect[] = [
  {
    name: 'keeps-ids-in-a-numeric-column',
    about: 'Its column for ids turns text into numbers, which drops zeros at the start of an id.',
    edits: [
      inStore('type TEXT, id TEXT, generation', 'type TEXT, id NUMERIC, generation'),
      inStore(
        'SELECT * FROM inbox ORDER BY number',
        'SELECT number, type, CAST(id AS TEXT) AS id, generation, body, attempts, dueAt FROM inbox ORDER BY number',
      ),
    ],
  },
  {
    name: 'drops-failed-work-at-a-start',
    about: 'At a start it deletes notifications that have failed three times.',
    edits: [inStore(ACTS, `${ACTS}\n  DELETE FROM inbox WHERE attempts >= 3;`)],
  },
  {
    name: 'merges-with-what-is-pending',
    about:
      'It ignores a notification while another one of the object is pending, even if its call has begun.',
    edits: [
      inStore('dueAt REAL);', 'dueAt REAL, UNIQUE (type, id));'),
      inStore('INSERT INTO inbox', 'INSERT OR IGNORE INTO inbox'),
    ],
  },
  {
    name: 'reconciles-only-what-is-new',
    about: 'When it looks for missed notifications, it skips objects that it knows in an earlier state.',
    edits: [
      inMain(
        'processor.accept(notification)',
        `if (processor.readEffects(notification.type, notification.id).state === null)
          processor.accept(notification)`,
      ),
    ],
  },
  {
    name: 'remembers-what-was-missing',
    about: 'It ignores later notifications of an id that the service once did not know.',
    edits: [
      inStore(
        ACTS,
        `${ACTS}\n  CREATE TABLE IF NOT EXISTS missing (type TEXT, id TEXT, PRIMARY KEY (type, id));`,
      ),
      inStore(
        INSERT,
        `${INSERT}
const insertMissing = database.prepare('INSERT OR IGNORE INTO missing VALUES (?, ?)')
const findMissing = database.prepare('SELECT 1 FROM missing WHERE type = ? AND id = ?')`,
      ),
      inStore('void insert.run(', 'void (findMissing.get(type, id) ? findMissing : insert).run('),
      inStore(
        'transaction(database, () => entries.forEach(({ number }) => remove.run(number)))',
        `transaction(database, () => {
        insertMissing.run(entries[0].type, entries[0].id)
        entries.forEach(({ number }) => remove.run(number))
      })`,
      ),
    ],
  },
]

const ACT = 'if (key !== undefined && insertAct'

/** Edits after which the receiver does not act if a query finds another successful payment. */
const unlessFound = (condition: string, values: string): readonly Edit[] => [
  inStore(
    'const selectActs =',
    `const findTwin = database.prepare(\`
  SELECT 1 FROM known JOIN acts USING (type, id)
  WHERE type = ? AND id <> ? AND ${condition}\`)
const selectActs =`,
  ),
  inStore(ACT, `if (key !== undefined && findTwin.get(type, id, ${values})) return\n    ${ACT}`),
]

export const timeDefects: readonly AreaDefect[] = [
  {
    name: 'expires-payments-after-three-days',
    about: 'It ignores a change that comes more than three days after the change before it.',
    edits: [
      inService(
        'if (before === undefined) return true',
        `if (before === undefined) return true
  if (now.updatedAt - before.updatedAt > 3 * 86_400_000) return false`,
      ),
    ],
  },
  {
    name: 'takes-an-equal-payment-within-a-minute-for-a-copy',
    about: 'It ignores a payment of the same user and amount that succeeds within a minute of another one.',
    edits: unlessFound(
      `known.object ->> 'userId' = ? AND known.object ->> 'amount' = ? AND abs((known.object ->> 'updatedAt') - ?) < 60000`,
      'believed.userId, believed.amount, believed.updatedAt',
    ),
  },
  {
    name: 'acts-once-a-day-on-a-bank-account',
    about: 'It acts on one batch transaction per account and day, and ignores the others of that day.',
    edits: unlessFound(
      `type = 'batch_transactions' AND known.object ->> 'accountId' = ? AND (known.object ->> 'updatedAt') / 86400000 = CAST(? AS INTEGER) / 86400000`,
      'believed.accountId, believed.updatedAt',
    ),
  },
  {
    name: 'clears-old-work-at-a-start',
    about:
      'At a start it deletes notifications that it accepted more than a day ago and has not worked on yet.',
    edits: [
      inStore('dueAt REAL);', 'dueAt REAL, keptAt INTEGER);'),
      inStore(
        'const insert = database.prepare(INSERT)',
        `const { HOOKBENCH_NOW } = process.env
const aheadMs = HOOKBENCH_NOW ? Date.parse(HOOKBENCH_NOW) - Date.now() : 0
database.prepare('DELETE FROM inbox WHERE keptAt < ?').run(Date.now() + aheadMs - 86_400_000)
const insert = database.prepare(INSERT)`,
      ),
      inStore(
        'insert.run(type, id, generation, body, now)',
        'insert.run(type, id, generation, body, now, now)',
      ),
      inStore(
        'attempts, dueAt) VALUES (?, ?, ?, ?, 0, ?)',
        'attempts, dueAt, keptAt) VALUES (?, ?, ?, ?, 0, ?, ?)',
      ),
    ],
  },
  {
    name: 'ignores-what-is-dated-ahead',
    about: 'It accepts and drops a notification that is dated more than a week ahead of its clock.',
    edits: [
      inReceiver(
        "if (kind === 'notification') accept(",
        `const aheadOfUsMs = Date.parse(posted?.[route.type]?.updated_at) - clock()
    if (aheadOfUsMs > 7 * 86_400_000) return { status: 204 }
    if (kind === 'notification') accept(`,
      ),
    ],
  },
]
