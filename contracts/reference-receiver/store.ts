import { DatabaseSync } from 'node:sqlite'
import type { KnownObject } from './known-object.ts'
import type { Notification } from './notification.ts'
import { toAct, toEntry, toKnownObject, type Act, type Entry } from './rows.ts'

/** What follows from the service's answer about an object. */
export interface Conclusion {
  /** What is believed from now on; undefined if nothing changes. */
  readonly believed: KnownObject | undefined
  /** What its consequence is kept under, if it is due: one key, one consequence, however often it is concluded. */
  readonly key: string | undefined
}

/** What the receiver did, for whoever asks. */
export interface Effects {
  readonly effects: number
  readonly state: string | null
  readonly amount?: number
  readonly currency?: string
  readonly user_id?: string
  readonly account_id?: string
}

/** Durable: what a method has done is there after any crash. */
export interface Store {
  put(notification: Notification, now: number): void
  /** Oldest first. */
  entries(): readonly Entry[]
  postpone(entries: readonly Entry[], dueAt: number): void
  drop(entries: readonly Entry[]): void
  /** By its id or, where it has one, its number. */
  known(type: string, id: string): KnownObject | undefined
  /** Ends these entries and keeps what follows from them, all or nothing. */
  settle(entries: readonly Entry[], conclusion: Conclusion): void
  readEffects(type: string, id: string): Effects
  close(): void
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS inbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL, id TEXT NOT NULL, generation TEXT NOT NULL, body TEXT NOT NULL,
    attempts INTEGER NOT NULL, dueAt REAL NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS known (
    type TEXT NOT NULL, id TEXT NOT NULL, number TEXT, kind TEXT, state TEXT, updatedAt REAL,
    amount INTEGER, currency TEXT, userId TEXT, accountId TEXT,
    PRIMARY KEY (type, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS known_by_number ON known (type, number);
  CREATE TABLE IF NOT EXISTS acts (
    key TEXT PRIMARY KEY, type TEXT NOT NULL, id TEXT NOT NULL,
    amount INTEGER, currency TEXT, userId TEXT, accountId TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS acts_by_object ON acts (type, id);
`

/** Opens the store in `file`, made on first use; `:memory:` is for tests, which need not survive. */
export function openStore(file: string): Store {
  const database = new DatabaseSync(file)
  database.exec(SCHEMA)
  const { put, entries, postpone, drop, known, believe, act, acts } = prepareStatements(database)

  function transaction(work: () => void): void {
    database.exec('BEGIN IMMEDIATE')
    try {
      work()
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }

  function readKnown(type: string, id: string): KnownObject | undefined {
    const row = known.get({ type, id })
    return row && toKnownObject(row)
  }

  return {
    put: ({ type, id, generation, body }, now) => void put.run(type, id, generation, body, now),
    entries: () => entries.all().map(toEntry),
    postpone: (all, dueAt) => transaction(() => all.forEach(({ number }) => postpone.run({ number, dueAt }))),
    drop: (all) => transaction(() => all.forEach(({ number }) => drop.run(number))),
    known: readKnown,
    settle(all, { believed, key }) {
      transaction(() => {
        all.forEach(({ number }) => drop.run(number))
        if (!believed) return
        const { type, id, number, kind, state, updatedAt, amount, currency, userId, accountId } = believed
        believe.run(type, id, number, kind, state, updatedAt, amount, currency, userId, accountId)
        // Where you would release goods: keep the order to do so here, in the same transaction, and carry it out from there.
        if (key !== undefined) act.run(key, type, id, amount, currency, userId, accountId)
      })
    },
    readEffects(type, id) {
      const believed = readKnown(type, id)
      return believed
        ? countEffects(believed, acts.all(type, believed.id).map(toAct))
        : { effects: 0, state: null }
    },
    close: () => database.close(),
  }
}

function prepareStatements(database: DatabaseSync) {
  return {
    put: database.prepare(
      'INSERT INTO inbox (type, id, generation, body, attempts, dueAt) VALUES (?, ?, ?, ?, 0, ?)',
    ),
    entries: database.prepare('SELECT * FROM inbox ORDER BY number'),
    postpone: database.prepare(
      'UPDATE inbox SET attempts = attempts + 1, dueAt = $dueAt WHERE number = $number',
    ),
    drop: database.prepare('DELETE FROM inbox WHERE number = ?'),
    known: database.prepare(
      'SELECT * FROM known WHERE type = $type AND (id = $id OR number = $id) ORDER BY id = $id DESC',
    ),
    believe: database.prepare('INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    act: database.prepare('INSERT OR IGNORE INTO acts VALUES (?, ?, ?, ?, ?, ?, ?)'),
    acts: database.prepare('SELECT amount, currency, userId, accountId FROM acts WHERE type = ? AND id = ?'),
  }
}

/** What was acted on first stands, whatever is believed since. */
function countEffects({ state, ...believed }: KnownObject, acts: readonly Act[]): Effects {
  const { amount, currency, userId, accountId } = acts[0] ?? believed
  return {
    effects: acts.length,
    state,
    ...(amount !== null && { amount }),
    ...(currency !== null && { currency }),
    ...(userId !== null && { user_id: userId }),
    ...(accountId !== null && { account_id: accountId }),
  }
}
