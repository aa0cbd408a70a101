import { objectId } from '../../../spec/models.ts'
import { notifiedTypes, type NotifiedType, type ObjectByType } from '../../../spec/notifications.ts'
import type { FaultStateOn, FaultState } from './fault.ts'
import type { PaymentKind } from '../../../spec/payments.ts'
import type { Payment } from './payment.ts'
import type { AccountKind, AccountOwner, AttemptHead, AttemptStartHead, Entry } from './entries.ts'
import { enabledId, type Indexes, type ObjectRef } from './indexes.ts'
import type { Registration } from './registration.ts'
import type { CraftedDelivery, ExchangeRecord } from './exchange.ts'
import type { JobRecord } from './job.ts'
import type { Generation } from '../../../spec/delivery.ts'

/** The sandbox's world, to read. */
export interface View {
  /** The latest sandbox time on record. */
  latestAt(): number
  /** By any of its ids. */
  object<Type extends NotifiedType>(type: Type, id: string): StoredObject<ObjectByType[Type]> | undefined
  /** What is another one after each change of the object, and in each world. */
  objectVersion(type: NotifiedType, id: string): object | undefined
  objectIds(type: NotifiedType): Iterable<string>
  /** As it was so many revisions ago, or at its first if there were fewer. */
  earlierObject<Type extends NotifiedType>(
    type: Type,
    id: string,
    revisionsBack: number,
  ): StoredObject<ObjectByType[Type]> | undefined
  registration(id: string): Registration | undefined
  /** Oldest first. */
  registrations<Given extends Generation>(generation: Given): readonly RegistrationOf<Given>[]
  enabledRegistration(generation: Generation, type: Registration['object_type']): Registration | undefined
  /** The uuid of a user's account of this kind, of several the newest. */
  accountId(userId: string, kind: AccountKind): string | undefined
  /** Who owns an account, and of which kind it is. */
  accountOwner(accountUuid: string): AccountOwner | undefined
  payment(id: string): Payment | undefined
  /** In the order of their beginnings. */
  payments(): readonly Payment[]
  /** Its place among all payments, from 0; -1 if there is none. */
  paymentOrdinal(id: string): number
  /** What was chosen for the next payment of the kind; undefined if it ends as usual. */
  nextOutcome(kind: PaymentKind): string | undefined
  /** By kind, in the order in which they were chosen. */
  nextOutcomes(): ReadonlyMap<PaymentKind, string>
  job(id: string): JobRecord | undefined
  /** Oldest first; of one registration or of all. */
  jobs(registrationId?: string): readonly JobRecord[]
  /** The bytes that a job was made to send. */
  jobBody(job: JobRecord): string
  attempts(job: JobRecord): readonly AttemptRecord[]
  /** The attempt of the job that has begun and is not on record yet. */
  attemptStart(job: JobRecord): AttemptStartRecord | undefined
  /** What webhooks are signed with: at most the two newest, the newest first. */
  secrets(): readonly StoredSecret[]
  /** What was chosen of the readings at run time, earlier runs included. */
  readings(): Readonly<Record<string, string>>
  /** In the order in which they were added. */
  faults(): readonly FaultState[]
  /** What was matched for the job's next attempt, if anything was looked for already. */
  matchedFaults(job: JobRecord): readonly FaultStateOn<'delivery'>[] | undefined
  /** How many deliveries were crafted. */
  craftedCount(): number
  /** The crafted deliveries from the `start`th, counted from 0, to before the `end`th. */
  craftedBetween(start: number, end: number): readonly CraftedRecord[]
  crafted(id: string): CraftedRecord | undefined
}

export interface CraftedRecord {
  readonly at: number
  readonly crafted: CraftedDelivery
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

/** What is known of an attempt when it begins: `exchange` is the JSON of its request. */
export interface AttemptStartRecord {
  readonly head: AttemptStartHead
  readonly exchange: string
}

/** Gives the entry with a number. */
export type Read = (position: number) => Entry

/** Reads through whatever the indexes are at the moment; `read` gives the entry with a number. */
export function createView(indexes: () => Indexes, read: Read): View {
  return {
    ...deliveriesView(indexes, read),
    latestAt: () => indexes().latestAt,
    object(type, id) {
      const ref = findRef(indexes(), type, id)
      return ref && { revision: ref.revision, body: parse(read(ref.position).body) }
    },
    earlierObject(type, id, revisionsBack) {
      let ref = findRef(indexes(), type, id)
      for (let back = 0; back < revisionsBack && ref?.earlier; back++) ref = ref.earlier
      return ref && { revision: ref.revision, body: parse(read(ref.position).body) }
    },
    objectVersion: (type, id) => findRef(indexes(), type, id),
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
    accountId: (userId, kind) => indexes().accountIdByOwner.get(`${userId}/${kind}`),
    accountOwner: (uuid) => indexes().ownerByAccountId.get(uuid),
    payment(id) {
      const { payments, paymentOrdinalById } = indexes()
      return payments[paymentOrdinalById.get(id) ?? -1]
    },
    payments: () => indexes().payments,
    paymentOrdinal: (id) => indexes().paymentOrdinalById.get(id) ?? -1,
    nextOutcome: (kind) => indexes().nextOutcomes.get(kind),
    nextOutcomes: () => indexes().nextOutcomes,
    readings: () => indexes().readings,
    faults: () => [...indexes().faultById.values()],
    matchedFaults(job) {
      const { matchedByJob, faultById } = indexes()
      const matched = matchedByJob.get(job.id)
      if (matched?.attempt !== job.attempts.length + 1) return undefined
      return matched.faultIds.flatMap((id) => {
        const fault = faultById.get(id)
        return fault?.on === 'delivery' ? [fault] : []
      })
    },
    secrets: () => indexes().secrets.map(({ position, set_at }) => ({ secret: read(position).body, set_at })),
  }
}

/** What was sent: jobs with their attempts, and what was crafted. */
function deliveriesView(
  indexes: () => Indexes,
  read: Read,
): Pick<
  View,
  'job' | 'jobs' | 'jobBody' | 'attempts' | 'attemptStart' | 'craftedCount' | 'craftedBetween' | 'crafted'
> {
  function crafted(position: number): CraftedRecord {
    const { head, body } = read(position)
    return { at: head.at, crafted: parse(body) }
  }
  return {
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
    attemptStart(job) {
      if (job.begun === null) return undefined
      const { head, body } = read(job.begun)
      return head.kind === 'attempt-start' ? { head, exchange: body } : undefined
    },
    craftedCount: () => indexes().crafted.length,
    craftedBetween: (start, end) => indexes().crafted.slice(start, end).map(crafted),
    crafted(id) {
      const position = indexes().craftedPositionById.get(id)
      return position === undefined ? undefined : crafted(position)
    },
  }
}

/** By any id that the object is asked for by: a job knows the one that the store keeps it by. */
export function objectFilter(id: string, view: View): (job: JobRecord) => boolean {
  const keptIdByType = new Map<string, string>(
    notifiedTypes.flatMap((type) => {
      const object = view.object(type, id)?.body
      return object ? [[type, objectId(type, object)]] : []
    }),
  )
  return ({ object_type, object_id }) => object_id === id || object_id === keptIdByType.get(object_type)
}

function findRef(
  { objectsByType, idByAlias }: Indexes,
  type: NotifiedType,
  id: string,
): ObjectRef | undefined {
  return objectsByType.get(type)?.get(idByAlias.get(type)?.get(id) ?? id)
}

/** Only `commit` writes bodies, and each kind of head has one kind of body. */
function parse<Body>(text: string): Body {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(text) as Body
}
