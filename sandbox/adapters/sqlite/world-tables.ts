import type { Entry, Head, HeadByKind, HeadOf } from '../../engine/state/entries.ts'
import { createCrafted, type Crafted } from './queries/crafted.ts'
import { createFaults, type Faults } from './queries/faults.ts'
import { createHistory, type History } from './queries/history.ts'
import { createJobPages, type JobPages } from './queries/job-pages.ts'
import { createJobs, type Jobs } from './queries/jobs.ts'
import { createObjects, type Objects } from './queries/objects.ts'
import { createPayments, type Payments } from './queries/payments.ts'
import { createSettings, type Settings } from './queries/settings.ts'
import { createWorlds, type Worlds, type WorldState } from './queries/worlds.ts'
import type { Sql } from './sql.ts'

/** The rows of one world, to read and to write. */
export interface WorldTables {
  readonly number: number
  /** Another number after each rollback: what was read before may be gone. */
  readonly epoch: number
  readonly state: Readonly<WorldState>
  readonly history: History
  readonly objects: Objects
  readonly settings: Settings
  readonly jobs: Jobs
  readonly jobPages: JobPages
  readonly payments: Payments
  readonly faults: Faults
  readonly crafted: Crafted
  /** Adds an entry to the history, and all that follows from it; returns the checksum of its row. */
  add(entry: Entry): number
  /** Writes the state of the world, before the transaction is committed. */
  save(): void
  /** Reads everything from the database again, after a rollback. */
  reload(): void
}

let epochs = 0

/** The tables of a world that is there. `path` is the file of the store, for errors. */
export function createWorldTables(sql: Sql, number: number, path: string): WorldTables {
  const worlds = createWorlds(sql)
  const jobs = createJobs(sql, number, path)
  let state = stateOf(worlds, number)
  let epoch = ++epochs

  const tables: WorldTables = {
    number,
    get epoch() {
      return epoch
    },
    get state() {
      return state
    },
    history: createHistory(sql, number, path),
    objects: createObjects(sql, number),
    settings: createSettings(sql, number),
    jobs,
    jobPages: createJobPages({ sql, world: number, counts: jobs, path }),
    payments: createPayments(sql, number),
    faults: createFaults(sql, number),
    crafted: createCrafted(sql, number),
    add(entry) {
      const position = ++state.length
      const { head } = entry
      state.latest_at = Math.max(state.latest_at, head.at)
      apply(tables, head, { position, state })
      return tables.history.add(position, entry)
    },
    save() {
      jobs.save()
      worlds.save(number, state)
    },
    reload() {
      state = stateOf(worlds, number)
      for (const each of [tables.history, tables.objects, tables.settings, tables.faults, jobs]) each.forget()
      epoch = ++epochs
    },
  }
  return tables
}

function stateOf(worlds: Worlds, number: number): WorldState {
  const state = worlds.state(number)
  if (!state) throw new RangeError(`Cannot read world ${number}: the store does not have it`)
  return state
}

type Apply<Kind extends Head> = (
  tables: WorldTables,
  head: Kind,
  at: { readonly position: number; readonly state: WorldState },
) => void

/** What follows from an entry of each kind. */
const APPLY: { readonly [Kind in keyof HeadByKind]: Apply<HeadByKind[Kind]> } = {
  object(tables, head, { position, state }) {
    state.changed_at = Math.max(state.changed_at, head.at)
    tables.objects.add(head, position)
  },
  registration: ({ settings }, { registration }, { position }) =>
    settings.putRegistration(registration, position),
  deletion: ({ settings }, { registration_id }) => settings.removeRegistration(registration_id),
  job({ jobs }, head, { position, state }) {
    const column = head.generation === 'webhooks' ? 'webhook_jobs' : 'callback_jobs'
    const ordinal = state.webhook_jobs + state.callback_jobs
    jobs.add(head, position, { ordinal, turn: state[column]++ })
  },
  'attempt-start': ({ jobs }, { job_id }, { position }) => jobs.begin(job_id, position),
  attempt({ jobs, faults }, head, { position }) {
    jobs.end(head, position)
    if (head.reason === 'interrupted') faults.carryOver(head.job_id, head.number)
    else faults.forgetMatched(head.job_id)
  },
  cancellation: ({ jobs }, { job_id }) => jobs.cancel(job_id),
  clock(_, { speed }, { state }) {
    if (speed !== undefined) state.speed = speed
  },
  payment: ({ payments }, { payment }) => payments.put(payment),
  'next-outcome': ({ payments }, { payment_kind, outcome }, { position }) =>
    payments.setNextOutcome(payment_kind, outcome, position),
  secret: ({ settings }, { set_at }, { position }) => settings.addSecret(position, set_at),
  readings: ({ settings }, { chosen }) => settings.putReadings(chosen),
  fault: ({ faults }, head, { position }) => faults.add(head, position),
  'fault-end': ({ faults }, head) => faults.end(head),
  'fault-use': ({ faults }, head) => faults.use(head),
  crafted: ({ crafted }, { id }, { position }) => crafted.add(id, position),
}

function apply<Kind extends keyof HeadByKind>(
  tables: WorldTables,
  head: HeadOf<Kind>,
  at: { readonly position: number; readonly state: WorldState },
): void {
  APPLY[head.kind](tables, head, at)
}
