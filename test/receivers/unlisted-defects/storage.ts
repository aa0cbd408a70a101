import type { Edit, UnlistedDefect } from './defect.ts'

const ACTS = 'CREATE TABLE IF NOT EXISTS acts (key TEXT PRIMARY KEY, type TEXT, id TEXT, object TEXT);'
const INSERT = 'const insert = database.prepare(INSERT)'

export const persistenceDefects: readonly UnlistedDefect[] = [
  {
    name: 'keeps-ids-in-a-numeric-column',
    about: 'Its column for ids turns text into numbers, which drops zeros at the start of an id.',
    area: 'persistence',
    edits: [
      { file: 'store.mjs', from: 'type TEXT, id TEXT, generation', to: 'type TEXT, id NUMERIC, generation' },
      {
        file: 'store.mjs',
        from: 'SELECT * FROM inbox ORDER BY number',
        to: 'SELECT number, type, CAST(id AS TEXT) AS id, generation, body, attempts, dueAt FROM inbox ORDER BY number',
      },
    ],
  },
  {
    name: 'drops-failed-work-at-a-start',
    about: 'At a start it deletes notifications that have failed three times.',
    area: 'persistence',
    edits: [{ file: 'store.mjs', from: ACTS, to: `${ACTS}\n  DELETE FROM inbox WHERE attempts >= 3;` }],
  },
  {
    name: 'merges-with-what-is-pending',
    about:
      'It ignores a notification while another one of the object is pending, even if its call has begun.',
    area: 'persistence',
    edits: [
      {
        file: 'store.mjs',
        from: 'dueAt REAL);',
        to: 'dueAt REAL, UNIQUE (type, id));',
      },
      { file: 'store.mjs', from: 'INSERT INTO inbox', to: 'INSERT OR IGNORE INTO inbox' },
    ],
  },
  {
    name: 'reconciles-only-what-is-new',
    about: 'When it looks for missed notifications, it skips objects that it knows in an earlier state.',
    area: 'persistence',
    edits: [
      {
        file: 'main.mjs',
        from: 'processor.accept(notification)',
        to: `if (processor.readEffects(notification.type, notification.id).state === null)
          processor.accept(notification)`,
      },
    ],
  },
  {
    name: 'remembers-what-was-missing',
    about: 'It ignores later notifications of an id that the service once did not know.',
    area: 'persistence',
    edits: [
      {
        file: 'store.mjs',
        from: ACTS,
        to: `${ACTS}\n  CREATE TABLE IF NOT EXISTS missing (type TEXT, id TEXT, PRIMARY KEY (type, id));`,
      },
      {
        file: 'store.mjs',
        from: INSERT,
        to: `${INSERT}
const insertMissing = database.prepare('INSERT OR IGNORE INTO missing VALUES (?, ?)')
const findMissing = database.prepare('SELECT 1 FROM missing WHERE type = ? AND id = ?')`,
      },
      {
        file: 'store.mjs',
        from: 'void insert.run(',
        to: 'void (findMissing.get(type, id) ? findMissing : insert).run(',
      },
      {
        file: 'store.mjs',
        from: 'transaction(database, () => entries.forEach(({ number }) => remove.run(number)))',
        to: `transaction(database, () => {
        insertMissing.run(entries[0].type, entries[0].id)
        entries.forEach(({ number }) => remove.run(number))
      })`,
      },
    ],
  },
]

const ACT = 'if (key !== undefined && insertAct'

/** Edits after which the receiver does not act if a query finds another successful payment. */
const unlessFound = (condition: string, values: string): readonly Edit[] => [
  {
    file: 'store.mjs',
    from: 'const selectActs =',
    to: `const findTwin = database.prepare(\`
  SELECT 1 FROM known JOIN acts USING (type, id)
  WHERE type = ? AND id <> ? AND ${condition}\`)
const selectActs =`,
  },
  {
    file: 'store.mjs',
    from: ACT,
    to: `if (key !== undefined && findTwin.get(type, id, ${values})) return\n    ${ACT}`,
  },
]

export const timeDefects: readonly UnlistedDefect[] = [
  {
    name: 'expires-payments-after-three-days',
    about: 'It ignores a change that comes more than three days after the change before it.',
    area: 'time',
    edits: [
      {
        file: 'service.mjs',
        from: 'if (before === undefined) return true',
        to: `if (before === undefined) return true
  if (now.updatedAt - before.updatedAt > 3 * 86_400_000) return false`,
      },
    ],
  },
  {
    name: 'takes-an-equal-payment-within-a-minute-for-a-copy',
    about: 'It ignores a payment of the same user and amount that succeeds within a minute of another one.',
    area: 'time',
    edits: unlessFound(
      `known.object ->> 'userId' = ? AND known.object ->> 'amount' = ? AND abs((known.object ->> 'updatedAt') - ?) < 60000`,
      'believed.userId, believed.amount, believed.updatedAt',
    ),
  },
  {
    name: 'acts-once-a-day-on-a-bank-account',
    about: 'It acts on one batch transaction per account and day, and ignores the others of that day.',
    area: 'time',
    edits: unlessFound(
      `type = 'batch_transactions' AND known.object ->> 'accountId' = ? AND (known.object ->> 'updatedAt') / 86400000 = CAST(? AS INTEGER) / 86400000`,
      'believed.accountId, believed.updatedAt',
    ),
  },
  {
    name: 'clears-old-work-at-a-start',
    about:
      'At a start it deletes notifications that it accepted more than a day ago and has not worked on yet.',
    area: 'time',
    edits: [
      {
        file: 'store.mjs',
        from: 'dueAt REAL);',
        to: 'dueAt REAL, keptAt INTEGER);',
      },
      {
        file: 'store.mjs',
        from: 'const insert = database.prepare(INSERT)',
        to: `const { HOOKBENCH_NOW } = process.env
const aheadMs = HOOKBENCH_NOW ? Date.parse(HOOKBENCH_NOW) - Date.now() : 0
database.prepare('DELETE FROM inbox WHERE keptAt < ?').run(Date.now() + aheadMs - 86_400_000)
const insert = database.prepare(INSERT)`,
      },
      {
        file: 'store.mjs',
        from: 'insert.run(type, id, generation, body, now)',
        to: 'insert.run(type, id, generation, body, now, now)',
      },
      {
        file: 'store.mjs',
        from: 'attempts, dueAt) VALUES (?, ?, ?, ?, 0, ?)',
        to: 'attempts, dueAt, keptAt) VALUES (?, ?, ?, ?, 0, ?, ?)',
      },
    ],
  },
  {
    name: 'ignores-what-is-dated-ahead',
    about: 'It accepts and drops a notification that is dated more than a week ahead of its clock.',
    area: 'time',
    edits: [
      {
        file: 'receiver.mjs',
        from: "if (kind === 'notification') accept(",
        to: `const aheadOfUsMs = Date.parse(posted?.[route.type]?.updated_at) - clock()
    if (aheadOfUsMs > 7 * 86_400_000) return { status: 204 }
    if (kind === 'notification') accept(`,
      },
    ],
  },
]
