import type { NotifiedType } from '../../../spec/notifications.ts'
import type { PaymentKind } from '../../../spec/payments.ts'
import type { Payment } from './payment.ts'
import { createPaymentObjects, type PaymentObjects } from './payment-objects.ts'
import type { Generation } from '../../../spec/delivery.ts'
import { createAccountOwners, type AccountOwners } from './account-owners.ts'
import type { IndexData } from './index-data.ts'
import { createJobTable, type JobTable } from './job-table.ts'
import { createObjectsOfType, type ObjectsOfType } from './object-table.ts'
import type { Registration } from './registration.ts'
import type { FaultState } from './fault.ts'

export interface SecretRef {
  readonly position: number
  readonly set_at: number
}

/** The faults that apply to an attempt that was not made yet. */
interface MatchedFaults {
  readonly attempt: number
  readonly faultIds: readonly string[]
}

/** What there is one of. */
interface Present {
  latestAt: number
  /** When an object changed last. */
  changedAt: number
  /** Of the clock, as it was set last. */
  speed?: number
  /** Where the secrets are that may still sign, the newest first. */
  secrets: readonly SecretRef[]
  /** An option for each reading that was chosen at run time. */
  readings: Readonly<Record<string, string>>
}

/** What is looked up often, in memory, built from the heads of the log alone. */
export interface Indexes {
  /** Another number whenever everything was loaded anew: positions mean something else then. */
  readonly epoch: number
  readonly present: Present
  readonly jobs: JobTable
  readonly registrationById: Map<string, Registration>
  readonly objects: Readonly<Record<NotifiedType, ObjectsOfType>>
  readonly owners: AccountOwners
  /** Every payment, in the order of their beginnings, as it stands. */
  readonly payments: Payment[]
  readonly paymentOrdinalById: Map<string, number>
  readonly paymentObjects: PaymentObjects
  /** How the next payment of a kind ends, where that was chosen. */
  readonly nextOutcomes: Map<PaymentKind, string>
  /** The enabled registration of each generation and type. */
  readonly enabledIdBySlot: Map<string, string>
  /** Where the crafted deliveries are, oldest first. */
  readonly crafted: number[]
  readonly craftedPositionById: Map<string, number>
  /** In the order in which they were added. */
  readonly faultById: Map<string, FaultState>
  /** What was matched for the attempt of a job that was not made yet. */
  readonly matchedByJob: Map<string, MatchedFaults>
}

/** Takes in what the data hold already, and keeps everything there. */
export function createIndexes(data: IndexData, epoch: number): Indexes {
  const objects = createObjects(data)
  const payments = data.list<Payment>('payments')
  return {
    epoch,
    present: data.record<Present>('present', { latestAt: 0, changedAt: 0, secrets: [], readings: {} }),
    jobs: createJobTable(data),
    objects,
    owners: createAccountOwners(data, objects),
    registrationById: data.map('registrations'),
    payments,
    paymentOrdinalById: data.map('payments/ordinals'),
    paymentObjects: createPaymentObjects(payments),
    nextOutcomes: data.map('next-outcomes'),
    enabledIdBySlot: data.map('registrations/enabled'),
    faultById: data.map('faults'),
    matchedByJob: data.map('jobs/matched'),
    crafted: data.list('crafted'),
    craftedPositionById: data.map('crafted/positions'),
  }
}

function createObjects(data: IndexData): Record<NotifiedType, ObjectsOfType> {
  return {
    accounts: createObjectsOfType(data, 'accounts'),
    batch_transactions: createObjectsOfType(data, 'batch_transactions'),
    companies: createObjectsOfType(data, 'companies'),
    disbursements: createObjectsOfType(data, 'disbursements'),
    items: createObjectsOfType(data, 'items'),
    transactions: createObjectsOfType(data, 'transactions'),
    users: createObjectsOfType(data, 'users'),
    virtual_accounts: createObjectsOfType(data, 'virtual_accounts'),
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
