import type { NotifiedType } from '../../../spec/notifications.ts'
import type { PaymentKind } from '../../../spec/payments.ts'
import type { Payment } from './payment.ts'
import type { Generation } from '../../../spec/delivery.ts'
import type { AccountOwner } from './entries.ts'
import { createIndexData } from './index-data.ts'
import { createJobTable, type JobTable } from './job-table.ts'
import type { Registration } from './registration.ts'
import type { FaultState } from './fault.ts'

export interface ObjectRef {
  readonly revision: number
  readonly position: number
  /** The revision before. */
  readonly earlier: ObjectRef | undefined
}

export interface SecretRef {
  readonly position: number
  readonly set_at: number
}

/** The faults that apply to an attempt that was not made yet. */
interface MatchedFaults {
  readonly attempt: number
  readonly faultIds: readonly string[]
}

/** What is looked up often, in memory, built from the heads of the log alone. */
export interface Indexes {
  latestAt: number
  readonly jobs: JobTable
  readonly registrationById: Map<string, Registration>
  readonly objectsByType: Map<NotifiedType, Map<string, ObjectRef>>
  /** Every payment, in the order of their beginnings, as it stands. */
  readonly payments: Payment[]
  readonly paymentOrdinalById: Map<string, number>
  /** How the next payment of a kind ends, where that was chosen. */
  readonly nextOutcomes: Map<PaymentKind, string>
  /** The newest account of a user, by `user/kind`. */
  readonly accountIdByOwner: Map<string, string>
  readonly ownerByAccountId: Map<string, AccountOwner>
  /** The id that an object is kept by, by its other ids. */
  readonly idByAlias: Map<NotifiedType, Map<string, string>>
  /** The enabled registration of each generation and type. */
  readonly enabledIdBySlot: Map<string, string>
  /** Where the crafted deliveries are, oldest first. */
  readonly crafted: number[]
  readonly craftedPositionById: Map<string, number>
  /** In the order in which they were added. */
  readonly faultById: Map<string, FaultState>
  /** What was matched for the attempt of a job that was not made yet. */
  readonly matchedByJob: Map<string, MatchedFaults>
  /** Where the secrets are that may still sign, the newest first. */
  secrets: readonly SecretRef[]
  /** An option for each reading that was chosen at run time. */
  readings: Readonly<Record<string, string>>
}

export function createIndexes(): Indexes {
  return {
    latestAt: 0,
    jobs: createJobTable(createIndexData()),
    registrationById: new Map(),
    objectsByType: new Map(),
    idByAlias: new Map(),
    payments: [],
    paymentOrdinalById: new Map(),
    nextOutcomes: new Map(),
    accountIdByOwner: new Map(),
    ownerByAccountId: new Map(),
    enabledIdBySlot: new Map(),
    faultById: new Map(),
    matchedByJob: new Map(),
    crafted: [],
    craftedPositionById: new Map(),
    secrets: [],
    readings: {},
  }
}

export function enabledId(
  indexes: Indexes,
  generation: Generation,
  type: Registration['object_type'],
): string | undefined {
  return indexes.enabledIdBySlot.get(slotKey({ generation, object_type: type }))
}

/** The key of `enabledIdBySlot`. */
export function slotKey({
  generation,
  object_type,
}: Pick<Registration, 'generation' | 'object_type'>): string {
  return `${generation}/${object_type}`
}
