-- All tables from "history" on have the number of a world as their first column.
-- A row of the history is never changed. All later tables are derived from the history, and are written in the same transaction.

CREATE TABLE worlds (
  number INTEGER NOT NULL PRIMARY KEY, -- identifies the world in the other tables; new after a reset or a restore
  name TEXT UNIQUE,                  -- null for a draft, and for a world that is being removed
  record TEXT,                       -- JSON: id, credentials and lifetime; null for the default world
  pause TEXT,                        -- JSON: the saved state of a closed world; null while the world is open
  sum INTEGER NOT NULL,              -- checksum of the columns before
  state TEXT NOT NULL,               -- JSON: the WorldState, which changes with each transaction
  state_sum INTEGER NOT NULL         -- checksum of the state
) STRICT;

CREATE TABLE heads (                 -- the newest heads of the store, to compare with the head file
  length INTEGER NOT NULL PRIMARY KEY,
  sum INTEGER NOT NULL
) STRICT;

CREATE TABLE history (
  world INTEGER NOT NULL,
  position INTEGER NOT NULL,         -- counted from 1, without gaps
  kind TEXT NOT NULL,
  head TEXT NOT NULL,                -- JSON
  head_sum INTEGER NOT NULL, body_sum INTEGER NOT NULL,
  body TEXT NOT NULL,                -- in a job, U+0001 stands for the object; the last column, so that reading the head is fast
  PRIMARY KEY (world, position)
) STRICT;
CREATE INDEX history_secrets ON history (world, position) WHERE kind = 'secret';

CREATE TABLE objects (               -- a row for each version of an object
  world INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
  position INTEGER NOT NULL,         -- of its body in the history
  revision INTEGER NOT NULL,
  owner TEXT,                        -- id of the account's user, if the head of this version contains the owner
  -- The columns below are only for the first version.
  number INTEGER,                    -- number in the order of creation, from 0, for each type
  alias TEXT,                        -- its second id
  account_kind TEXT,
  PRIMARY KEY (world, id, type, position)
) STRICT, WITHOUT ROWID;
-- The number precedes the type, so that most new rows are the last of the index, which changes fewer pages.
CREATE UNIQUE INDEX objects_by_number ON objects (world, number, type) WHERE number IS NOT NULL;
CREATE INDEX objects_by_alias ON objects (world, alias, type) WHERE alias IS NOT NULL;
CREATE INDEX objects_by_owner ON objects (world, owner, account_kind, position) WHERE account_kind IS NOT NULL;

CREATE TABLE settings (              -- registrations, faults, readings and next outcomes
  world INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
  position INTEGER NOT NULL,         -- position of its first entry, which determines the order
  value TEXT NOT NULL,               -- JSON
  PRIMARY KEY (world, kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  world INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,          -- from 0
  id TEXT NOT NULL, generation TEXT NOT NULL, registration_id TEXT NOT NULL,
  object_type TEXT NOT NULL, object_id TEXT NOT NULL, revision INTEGER NOT NULL, state TEXT,
  url TEXT NOT NULL,
  turn INTEGER NOT NULL,             -- number among the jobs of its generation, from 0
  position INTEGER NOT NULL,         -- of its body in the history
  created_at REAL NOT NULL, updated_at REAL NOT NULL, status TEXT NOT NULL,
  attempts INTEGER NOT NULL, attempt_positions TEXT NOT NULL, -- positions of the attempts in the history
  scheduled INTEGER NOT NULL, last TEXT, first_ended_at REAL, next_due_at REAL,
  matched_faults TEXT,               -- JSON: ids of the faults that match the next attempt, once they are determined
  sum INTEGER NOT NULL,              -- checksum of the columns before
  PRIMARY KEY (world, ordinal)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX jobs_by_id ON jobs (world, id);
CREATE INDEX jobs_by_due_time ON jobs (world, next_due_at) WHERE next_due_at IS NOT NULL;

CREATE TABLE job_counts (            -- numbers of jobs with equal columns, to find a page without a scan
  world INTEGER NOT NULL, registration_id TEXT NOT NULL, generation TEXT NOT NULL,
  object_type TEXT NOT NULL, status TEXT NOT NULL,
  block INTEGER NOT NULL,            -- the ordinals of its jobs, divided by 256, give this number
  count INTEGER NOT NULL,
  PRIMARY KEY (world, registration_id, generation, object_type, status, block)
) STRICT, WITHOUT ROWID;

CREATE TABLE payments (
  world INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,          -- from 0
  id TEXT NOT NULL, next_due_at REAL,
  payment TEXT NOT NULL,             -- JSON
  PRIMARY KEY (world, ordinal)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX payments_by_id ON payments (world, id);
CREATE INDEX payments_by_due_time ON payments (world, next_due_at) WHERE next_due_at IS NOT NULL;

CREATE TABLE payment_objects (
  world INTEGER NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL,
  payment INTEGER NOT NULL,          -- ordinal of the payment
  PRIMARY KEY (world, type, id, payment)
) STRICT, WITHOUT ROWID;

CREATE TABLE crafted (               -- manual deliveries
  world INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,          -- from 0
  id TEXT NOT NULL, position INTEGER NOT NULL,
  PRIMARY KEY (world, ordinal)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX crafted_by_id ON crafted (world, id);
