import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import type { FaultStateOn, FaultState } from './fault.ts'
import type { PaymentKind } from '../../../spec/payments.ts'
import type { Payment } from './payment.ts'
import type { AccountKind, AccountOwner } from './entries.ts'
import { enabledId, type Indexes } from './indexes.ts'
import type { Registration } from './registration.ts'
import type { CraftedDelivery } from './exchange.ts'
import type { JobRecord } from './job.ts'
import { createJobView, type JobView } from './job-view.ts'
import type { ObjectVersion } from './object-table.ts'
import { readIfWhole } from './log.ts'
import { parseBody, type Read } from './read.ts'
import type { Generation } from '../../../spec/delivery.ts'

/** The sandbox's world, to read. */
export interface View extends JobView {
  /** The latest sandbox time on record. */
  latestAt(): number
  /** The sandbox time of the last change of an object; 0 if there was none. */
  changedAt(): number
  /** The speed of the clock as it was set last; undefined if it never was. */
  chosenSpeed(): number | undefined
  /** By any of its ids. */
  object<Type extends NotifiedType>(type: Type, id: string): StoredObject<ObjectByType[Type]> | undefined
  /** What is another one after each change of the object, and in each world. */
  objectVersion(type: NotifiedType, id: string): number | undefined
  objectIds(type: NotifiedType): Iterable<string>
  objectCount(type: NotifiedType): number
  /** The ids of the objects from the `start`th of the type, counted from 0 in the order of their creation, to before the `end`th. */
  objectIdsBetween(type: NotifiedType, start: number, end: number): readonly string[]
  /** All ids that objects of the type are kept by and that begin so. */
  objectIdsBeginning(type: NotifiedType, start: string): Iterable<string>
  /** The id that the object with this id is kept by; undefined if there is none. */
  keptId(type: NotifiedType, id: string): string | undefined
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
  /** The first payment that the object belongs to, by the id that it is kept by; undefined if it belongs to none. */
  paymentOf(objectType: string, id: string): Payment | undefined
  /** Its place among all payments, from 0; -1 if there is none. */
  paymentOrdinal(id: string): number
  /** What was chosen for the next payment of the kind; undefined if it ends as usual. */
  nextOutcome(kind: PaymentKind): string | undefined
  /** By kind, in the order in which they were chosen. */
  nextOutcomes(): ReadonlyMap<PaymentKind, string>
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
  /** The crafted deliveries from the `start`th, counted from 0, to before the `end`th, without those that are damaged. */
  craftedBetween(start: number, end: number): readonly CraftedRecord[]
  crafted(id: string): CraftedRecord | undefined
}

export interface CraftedRecord {
  readonly at: number
  readonly crafted: CraftedDelivery
}

export interface StoredSecret {
  readonly secret: string
  /** Sandbox time, epoch milliseconds. */
  readonly set_at: number
}

type RegistrationOf<Given extends Generation> = Extract<Registration, { readonly generation: Given }>

export interface StoredObject<Body> {
  readonly revision: number
  readonly body: Body
}

const NO_FAULTS: readonly FaultState[] = []

/** Reads through whatever the indexes are at the moment; `read` gives the entry with a number. */
export function createView(indexes: () => Indexes, read: Read): View {
  const keptId = (type: NotifiedType, id: string) => indexes().objects[type].keptId(id)
  return {
    ...createJobView({ indexes, read, keptId }),
    ...paymentsView(indexes),
    ...craftedView(indexes, read),
    latestAt: () => indexes().present.latestAt,
    changedAt: () => indexes().present.changedAt,
    chosenSpeed: () => indexes().present.speed,
    object: (type, id) => readVersion(indexes().objects[type].version(id, 0), read),
    earlierObject: (type, id, back) => readVersion(indexes().objects[type].version(id, back), read),
    objectVersion(type, id) {
      const { objects, epoch } = indexes()
      const version = objects[type].version(id, 0)
      return version && epoch * 2 ** 32 + version.position
    },
    objectIds: (type) => indexes().objects[type].ids(),
    objectCount: (type) => indexes().objects[type].count(),
    objectIdsBetween: (type, start, end) => indexes().objects[type].idsBetween(start, end),
    objectIdsBeginning: (type, start) => indexes().objects[type].idsBeginning(start),
    keptId,
    registration: (id) => indexes().registrationById.get(id),
    registrations: <Given extends Generation>(generation: Given) =>
      [...indexes().registrationById.values()].filter(
        (registration): registration is RegistrationOf<Given> => registration.generation === generation,
      ),
    enabledRegistration(generation, type) {
      const id = enabledId(indexes(), generation, type)
      return id === undefined ? undefined : indexes().registrationById.get(id)
    },
    accountId: (userId, kind) => indexes().owners.newest(userId, kind),
    accountOwner: (uuid) => indexes().owners.ownerOf(uuid),
    readings: () => indexes().present.readings,
    faults() {
      const { faultById } = indexes()
      // Every call asks, and there are seldom any.
      return faultById.size === 0 ? NO_FAULTS : [...faultById.values()]
    },
    matchedFaults(job) {
      const { matchedByJob, faultById } = indexes()
      const matched = matchedByJob.get(job.id)
      if (matched?.attempt !== job.attempts.length + 1) return undefined
      return matched.faultIds.flatMap((id) => {
        const fault = faultById.get(id)
        return fault?.on === 'delivery' ? [fault] : []
      })
    },
    secrets: () =>
      indexes().present.secrets.map(({ position, set_at }) => ({ secret: read(position).body, set_at })),
  }
}

function paymentsView(
  indexes: () => Indexes,
): Pick<View, 'payment' | 'payments' | 'paymentOf' | 'paymentOrdinal' | 'nextOutcome' | 'nextOutcomes'> {
  return {
    payment(id) {
      const { payments, paymentOrdinalById } = indexes()
      return payments[paymentOrdinalById.get(id) ?? -1]
    },
    payments: () => indexes().payments,
    paymentOf: (objectType, id) => indexes().paymentObjects.find(objectType, id),
    paymentOrdinal: (id) => indexes().paymentOrdinalById.get(id) ?? -1,
    nextOutcome: (kind) => indexes().nextOutcomes.get(kind),
    nextOutcomes: () => indexes().nextOutcomes,
  }
}

function craftedView(
  indexes: () => Indexes,
  read: Read,
): Pick<View, 'craftedCount' | 'craftedBetween' | 'crafted'> {
  function crafted(position: number): CraftedRecord {
    const { head, body } = read(position)
    return { at: head.at, crafted: parseBody(body) }
  }
  return {
    craftedCount: () => indexes().crafted.length,
    craftedBetween: (start, end) =>
      indexes()
        .crafted.slice(start, end)
        .flatMap((position) => readIfWhole(() => crafted(position)) ?? []),
    crafted(id) {
      const position = indexes().craftedPositionById.get(id)
      return position === undefined ? undefined : crafted(position)
    },
  }
}

function readVersion<Body>(version: ObjectVersion | undefined, read: Read): StoredObject<Body> | undefined {
  return version && { revision: version.revision, body: parseBody(read(version.position).body) }
}
