import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What has arrived, what is known and what was done, in one file: what a function has done is there after any crash. */
const database = new DatabaseSync(process.env.RECEIVER_STORE ?? join(import.meta.dirname, 'receiver.sqlite'))
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS inbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT, id TEXT, attempts INTEGER DEFAULT 0, dueAt INTEGER DEFAULT 0);
  CREATE TABLE IF NOT EXISTS known (
    type TEXT, id TEXT, number TEXT, state TEXT, updatedAt INTEGER, details TEXT, PRIMARY KEY (type, id));
  CREATE TABLE IF NOT EXISTS acts (type TEXT, id TEXT, details TEXT, PRIMARY KEY (type, id));
`)
const insert = database.prepare('INSERT INTO inbox (type, id) VALUES (?, ?)')
const select = database.prepare('SELECT * FROM inbox ORDER BY number')
const remove = database.prepare('DELETE FROM inbox WHERE number = ?')
const delay = database.prepare('UPDATE inbox SET attempts = attempts + 1, dueAt = ? WHERE number = ?')
const find = database.prepare(
  'SELECT * FROM known WHERE type = ? AND (id = ? OR number = ?) ORDER BY id = ? DESC LIMIT 1',
)
const replace = database.prepare('INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?, ?, ?)')
const insertAct = database.prepare('INSERT OR IGNORE INTO acts VALUES (?, ?, ?)')
const findAct = database.prepare('SELECT details FROM acts WHERE type = ? AND id = ?')

function transaction(work) {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** Keeps that an object has to be looked at. */
export function keepNotification(type, id) {
  insert.run(type, id)
}

/** What is kept and not done, oldest first: `{number, type, id, attempts, dueAt}`. */
export function listNotifications() {
  return select.all()
}

export function dropAll(notifications) {
  transaction(() => notifications.forEach(({ number }) => remove.run(number)))
}

export function postponeAll(notifications, dueAt) {
  transaction(() => notifications.forEach(({ number }) => delay.run(dueAt, number)))
}

/** Ends these notifications with what the service shows now; `act` is called if that is due for the first time. */
export function conclude(notifications, now, { canReplace, act }) {
  transaction(() => {
    for (const { number } of notifications) remove.run(number)
    if (now === undefined) return
    const { type, id, number, state, updatedAt, details } = now
    if (!canReplace(find.get(type, id, id, id), now)) return
    replace.run(type, id, number, state, updatedAt, JSON.stringify(details))
    if (now.isDue && insertAct.run(type, id, JSON.stringify(details)).changes === 1) act(now)
  })
}

/** How often the platform has acted for an object, what is known of its state, and for how much and whom it acted. */
export function readEffects(type, id) {
  const known = find.get(type, id, id, id)
  if (known === undefined) return { effects: 0, state: null }
  const done = findAct.get(type, known.id)
  return { effects: done ? 1 : 0, state: known.state, ...JSON.parse((done ?? known).details) }
}
