import { DatabaseSync } from 'node:sqlite'

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS inbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT, id TEXT, generation TEXT, body TEXT, attempts INTEGER, dueAt REAL);
  CREATE TABLE IF NOT EXISTS known (type TEXT, id TEXT, number TEXT, object TEXT, PRIMARY KEY (type, id));
  CREATE INDEX IF NOT EXISTS known_by_number ON known (type, number);
  CREATE TABLE IF NOT EXISTS acts (key TEXT PRIMARY KEY, type TEXT, id TEXT, object TEXT);
  CREATE INDEX IF NOT EXISTS acts_by_object ON acts (type, id);
`
const INSERT = 'INSERT INTO inbox (type, id, generation, body, attempts, dueAt) VALUES (?, ?, ?, ?, 0, ?)'
const DELAY = 'UPDATE inbox SET attempts = attempts + 1, dueAt = ? WHERE number = ?'
const FIND = 'SELECT object FROM known WHERE type = ? AND (id = ? OR number = ?) ORDER BY id = ? DESC LIMIT 1'

/**
 * Opens the database in `file`. The database contains the inbox, the known objects and the consequences. A change is durable when its function returns. Calls `act` in the transaction that stores the consequence.
 */
export function openStore(file, act = () => {}) {
  const database = new DatabaseSync(file)
  database.exec(SCHEMA)
  const insert = database.prepare(INSERT)
  const select = database.prepare('SELECT * FROM inbox ORDER BY number')
  const remove = database.prepare('DELETE FROM inbox WHERE number = ?')
  const delay = database.prepare(DELAY)
  const find = database.prepare(FIND)
  const replace = database.prepare('INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?)')
  const insertAct = database.prepare('INSERT OR IGNORE INTO acts VALUES (?, ?, ?, ?)')
  const selectActs = database.prepare('SELECT object FROM acts WHERE type = ? AND id = ? ORDER BY rowid')

  function conclude(entries, { believed, key }) {
    for (const { number } of entries) remove.run(number)
    if (believed === undefined) return
    const { type, id, number } = believed
    const object = JSON.stringify(believed)
    replace.run(type, id, number, object)
    if (key !== undefined && insertAct.run(key, type, id, object).changes === 1) act(believed)
  }

  /** Finds an object by its id or its number. Only some objects have a number. */
  function known(type, id) {
    const row = find.get(type, id, id, id)
    return row && JSON.parse(row.object)
  }

  return {
    put: ({ type, id, generation, body }, now) => void insert.run(type, id, generation, body, now),
    /** Lists the stored, unprocessed notifications, oldest first. */
    entries: () => select.all(),
    drop: (entries) => transaction(database, () => entries.forEach(({ number }) => remove.run(number))),
    postpone: (entries, dueAt) =>
      transaction(database, () => entries.forEach(({ number }) => delay.run(dueAt, number))),
    known,
    /** Removes these notifications from the inbox and stores the object `believed`. If `key` is set, also records the consequence with this key. */
    settle: (entries, conclusion) => transaction(database, () => conclude(entries, conclusion)),
    readEffects(type, id) {
      const object = known(type, id)
      return object ? countEffects(object, selectActs.all(type, object.id)) : { effects: 0, state: null }
    },
    close: () => database.close(),
  }
}

function transaction(database, work) {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** Returns the number of effects on the object, and the amount and owner of the first effect. */
function countEffects({ state, ...object }, acts) {
  const { amount, currency, userId, accountId } = acts[0] ? JSON.parse(acts[0].object) : object
  return {
    effects: acts.length,
    state,
    ...(amount !== null && { amount }),
    ...(currency !== null && { currency }),
    ...(userId !== null && { user_id: userId }),
    ...(accountId !== null && { account_id: accountId }),
  }
}
