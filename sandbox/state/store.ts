import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import type { Payment } from '../payments/payment.ts'
import type {
  AccountKind,
  AccountOwner,
  AttemptHead,
  Entry,
  ExchangeRecord,
  Generation,
  Head,
  Registration,
} from './entries.ts'
import { apply, createIndexes, enabledId, type Indexes, type JobRecord } from './indexes.ts'
import type { Log } from './log.ts'

/** The sandbox's world, to read. */
export interface View {
  /** The latest sandbox time on record. */
  latestAt(): number
  /** By any of its ids. */
  object<Type extends NotifiedType>(type: Type, id: string): StoredObject<ObjectByType[Type]> | undefined
  objectIds(type: NotifiedType): Iterable<string>
  registration(id: string): Registration | undefined
  /** Oldest first. */
  registrations<Given extends Generation>(generation: Given): readonly RegistrationOf<Given>[]
  enabledRegistration(generation: Generation, type: Registration['object_type']): Registration | undefined
  /** The uuid of a user's account of this kind. */
  accountOf(userId: string, kind: AccountKind): string | undefined
  /** Whose an account is. */
  ownerOf(accountUuid: string): AccountOwner | undefined
  payment(id: string): Payment | undefined
  /** In the order of their beginnings. */
  payments(): readonly Payment[]
  /** Its place among all payments, from 0; -1 if there is none. */
  paymentOrdinal(id: string): number
  job(id: string): JobRecord | undefined
  /** Oldest first; of one registration or of all. */
  jobs(registrationId?: string): readonly JobRecord[]
  /** The bytes that a job was made to send. */
  jobBody(job: JobRecord): string
  attempts(job: JobRecord): readonly AttemptRecord[]
  /** What webhooks are signed with: at most the two newest, the newest first. */
  secrets(): readonly StoredSecret[]
  /** What was chosen of the readings at run time, earlier runs included. */
  readings(): Readonly<Record<string, string>>
}

export interface StoredSecret {
  readonly secret: string
  /** Real time, epoch milliseconds. */
  readonly set_at: number
}

type RegistrationOf<Given extends Generation> = Extract<Registration, { readonly generation: Given }>

export interface StoredObject<Body> {
  readonly revision: number
  readonly body: Body
}

export interface AttemptRecord {
  readonly head: AttemptHead
  readonly exchange: ExchangeRecord
}

/** The port that everything stores through. */
export interface Store extends View {
  /** How many entries there are, those still to be made durable included. */
  readonly length: number
  /**
   * Takes all entries at once, so that the next read sees them, and resolves when they are durable. Throws
   * ConflictError, and takes none, if a registration would be the second enabled one of its type and generation.
   */
  commit(entries: readonly Entry[]): Promise<void>
  /** Tells of each entry once it is durable, in order; returns the way to end it. */
  subscribe(listener: (head: Head) => void): () => void
  /** Makes durable what is not yet, and closes the log. */
  close(): void
}

/** At most one registration per type and generation is enabled. Source: §8. Reading: one-per-generation */
export class ConflictError extends Error {
  override readonly name = 'ConflictError'
}

interface Batch {
  readonly entries: Entry[]
  readonly settled: PromiseWithResolvers<void>
}

/** `soon` runs a task after the work at hand, so that all commits made meanwhile become durable in one write. */
export function createStore(log: Log, soon: (run: () => void) => void): Store {
  let indexes = load(log)
  let batch: Batch | undefined
  const listeners = new Set<(head: Head) => void>()

  function flush(): void {
    if (!batch) return
    const { entries, settled } = batch
    batch = undefined
    try {
      log.append(entries)
    } catch (error) {
      // Nothing was kept: go back to what is durable, so that nobody builds on what was lost.
      indexes = load(log)
      settled.reject(error)
      return
    }
    for (const { head } of entries) for (const listener of listeners) listener(head)
    settled.resolve()
  }

  function read(position: number): Entry {
    return batch?.entries[position - log.length - 1] ?? log.read(position)
  }

  function commit(entries: readonly Entry[]): Promise<void> {
    for (const { head } of entries) refuseSecondEnabled(indexes, head)
    if (!batch) {
      batch = { entries: [], settled: Promise.withResolvers() }
      soon(flush)
    }
    for (const entry of entries) {
      batch.entries.push(entry)
      apply(indexes, entry.head, log.length + batch.entries.length)
    }
    return batch.settled.promise
  }

  return {
    ...createView(() => indexes, read),
    get length() {
      return log.length + (batch?.entries.length ?? 0)
    },
    commit,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      flush()
      log.close()
    },
  }
}

function load(log: Log): Indexes {
  const indexes = createIndexes()
  let position = 0
  for (const head of log.heads()) apply(indexes, head, ++position)
  return indexes
}

function refuseSecondEnabled(indexes: Indexes, head: Head): void {
  if (head.kind !== 'registration' || !head.registration.enabled) return
  const { id, generation, object_type } = head.registration
  const taken = enabledId(indexes, generation, object_type)
  if (taken !== undefined && taken !== id) {
    throw new ConflictError(
      `Cannot enable "${id}": "${taken}" is enabled for ${object_type} in ${generation}`,
    )
  }
}

function createView(indexes: () => Indexes, read: (position: number) => Entry): View {
  return {
    latestAt: () => indexes().latestAt,
    object(type, id) {
      const { objectsByType, idByAlias } = indexes()
      const ref = objectsByType.get(type)?.get(idByAlias.get(type)?.get(id) ?? id)
      if (!ref) return undefined
      return { revision: ref.revision, body: parse(read(ref.position).body) }
    },
    objectIds: (type) => indexes().objectsByType.get(type)?.keys() ?? [],
    registration: (id) => indexes().registrationById.get(id),
    registrations: <Given extends Generation>(generation: Given) =>
      [...indexes().registrationById.values()].filter(
        (registration): registration is RegistrationOf<Given> => registration.generation === generation,
      ),
    enabledRegistration(generation, type) {
      const id = enabledId(indexes(), generation, type)
      return id === undefined ? undefined : indexes().registrationById.get(id)
    },
    accountOf: (userId, kind) => indexes().accountIdByOwner.get(`${userId}/${kind}`),
    ownerOf: (uuid) => indexes().ownerByAccountId.get(uuid),
    payment(id) {
      const { payments, paymentOrdinalById } = indexes()
      return payments[paymentOrdinalById.get(id) ?? -1]
    },
    payments: () => indexes().payments,
    paymentOrdinal: (id) => indexes().paymentOrdinalById.get(id) ?? -1,
    job: (id) => indexes().jobById.get(id),
    jobs: (registrationId) =>
      registrationId === undefined
        ? indexes().jobs
        : (indexes().jobsByRegistration.get(registrationId) ?? []),
    jobBody: (job) => read(job.position).body,
    attempts: (job) =>
      job.attempts.flatMap((position) => {
        const { head, body } = read(position)
        return head.kind === 'attempt' ? [{ head, exchange: parse<ExchangeRecord>(body) }] : []
      }),
    readings: () => indexes().readings,
    secrets: () => indexes().secrets.map(({ position, set_at }) => ({ secret: read(position).body, set_at })),
  }
}

/** Only `commit` writes bodies, and each kind of head has one kind of body. */
function parse<Body>(text: string): Body {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(text) as Body
}
