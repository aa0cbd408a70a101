import type { UnlistedDefect } from './defect.ts'

const ACTS = 'CREATE TABLE IF NOT EXISTS acts (type TEXT, id TEXT, details TEXT, PRIMARY KEY (type, id));'
const INSERT = "const insert = database.prepare('INSERT INTO inbox (type, id) VALUES (?, ?)')"

export const persistenceDefects: readonly UnlistedDefect[] = [
  {
    name: 'keeps-ids-in-a-numeric-column',
    about: 'Its column for ids turns text into numbers, which drops zeros at the start of an id.',
    area: 'persistence',
    edits: [
      { file: 'store.mjs', from: 'type TEXT, id TEXT, attempts', to: 'type TEXT, id NUMERIC, attempts' },
      {
        file: 'store.mjs',
        from: 'SELECT * FROM inbox ORDER BY number',
        to: 'SELECT number, type, CAST(id AS TEXT) AS id, attempts, dueAt FROM inbox ORDER BY number',
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
        from: 'dueAt INTEGER DEFAULT 0);',
        to: 'dueAt INTEGER DEFAULT 0, UNIQUE (type, id));',
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
        from: 'await listMissed()) keepNotification(missedType, missedId)',
        to: `await listMissed())
    if (readEffects(missedType, missedId).state === null) keepNotification(missedType, missedId)`,
      },
    ],
  },
  {
    name: 'remembers-what-was-missing',
    about: 'It stores ids that the service did not know, and ignores later notifications of them.',
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
        from: '  insert.run(type, id)',
        to: '  if (!findMissing.get(type, id)) insert.run(type, id)',
      },
      {
        file: 'store.mjs',
        from: 'transaction(() => notifications.forEach(({ number }) => remove.run(number)))',
        to: `transaction(() => {
    insertMissing.run(notifications[0].type, notifications[0].id)
    notifications.forEach(({ number }) => remove.run(number))
  })`,
      },
    ],
  },
]
