import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import type { FaultStateOn, FaultState } from './fault.ts'
import type { PaymentKind } from '../../../spec/payments.ts'
import type { Payment } from './payment.ts'
import type { AccountKind, AccountOwner } from './entries.ts'
import type { Registration } from './registration.ts'
import type { CraftedDelivery } from './exchange.ts'
import type { JobRecord } from './job.ts'
import type { JobView } from './job-view.ts'
import type { Generation } from '../../../spec/delivery.ts'

/** The sandbox's world, to read. */
export interface View extends ObjectView, JobView, SettingsView, PaymentView, FaultView, CraftedView {
  /** The latest sandbox time on record. */
  latestAt(): number
  /** The sandbox time of the last change of an object; 0 if there was none. */
  changedAt(): number
  /** The speed of the clock as it was set last; undefined if it never was. */
  chosenSpeed(): number | undefined
}

/** The objects, and the owners of accounts. */
export interface ObjectView {
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
  /** The uuid of a user's account of this kind, of several the newest. */
  accountId(userId: string, kind: AccountKind): string | undefined
  /** Who owns an account, and of which kind it is. */
  accountOwner(accountUuid: string): AccountOwner | undefined
}

/** What a world has few of. */
export interface SettingsView {
  registration(id: string): Registration | undefined
  /** Oldest first. */
  registrations<Given extends Generation>(generation: Given): readonly RegistrationOf<Given>[]
  enabledRegistration(generation: Generation, type: Registration['object_type']): Registration | undefined
  /** What webhooks are signed with: at most the two newest, the newest first. */
  secrets(): readonly StoredSecret[]
  /** What was chosen of the readings at run time, earlier runs included. */
  readings(): Readonly<Record<string, string>>
}

/** The payments, and how the next ones end. */
export interface PaymentView {
  payment(id: string): Payment | undefined
  /** The payment with this place among all, from 0. */
  paymentAt(ordinal: number): Payment | undefined
  paymentCount(): number
  /** In the order of creation, from the `start`th, counted from 0, to before the `end`th. */
  paymentsBetween(start: number, end: number): readonly Payment[]
  /** Those with a next step that has a time, in the order of creation. */
  duePayments(): readonly Payment[]
  paymentIdsBeginning(start: string): readonly string[]
  /** The first payment that the object belongs to, by the id that the store keeps it by; undefined if it belongs to none. */
  paymentOf(objectType: string, id: string): Payment | undefined
  /** Every payment that the object belongs to, oldest first. */
  paymentsOf(objectType: string, id: string): readonly Payment[]
  /** Its place among all payments, from 0; -1 if there is none. */
  paymentOrdinal(id: string): number
  /** What was chosen for the next payment of the kind; undefined if it ends as usual. */
  nextOutcome(kind: PaymentKind): string | undefined
  /** By kind, in the order in which they were chosen. */
  nextOutcomes(): ReadonlyMap<PaymentKind, string>
}

/** What is to go wrong. */
export interface FaultView {
  /** In the order in which they were added. */
  faults(): readonly FaultState[]
  /** What was matched for the job's next attempt, if anything was looked for already. */
  matchedFaults(job: JobRecord): readonly FaultStateOn<'delivery'>[] | undefined
}

/** The deliveries that were crafted on the bench. */
export interface CraftedView {
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

export type RegistrationOf<Given extends Generation> = Extract<Registration, { readonly generation: Given }>

export interface StoredObject<Body> {
  readonly revision: number
  readonly body: Body
}
