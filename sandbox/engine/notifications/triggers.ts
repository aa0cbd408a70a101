import { callbackTypes, type Generation } from '../../../spec/delivery.ts'
import { objectState } from '../../../spec/models.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import type { ReadingValues } from '../../../spec/readings.ts'

export interface Change<Type extends NotifiedType> {
  /** The object before the change. Undefined if the change creates the object. */
  readonly before: ObjectByType[Type] | undefined
  readonly after: ObjectByType[Type]
}

/** Returns the generations that report a change if a registration exists. Source: §2.2 */
export function findNotifiedGenerations<Type extends NotifiedType>(
  type: Type,
  change: Change<Type>,
  readings: ReadingValues,
): readonly Generation[] {
  if (!isTrigger(type, change, readings)) return []
  // Only webhooks, not callbacks, report changes to virtual accounts. Source: §2.2. Reading: callback-list
  const byCallbacks: readonly string[] = callbackTypes(readings['callback-list'])
  return byCallbacks.includes(type) ? ['webhooks', 'callbacks'] : ['webhooks']
}

function isTrigger<Type extends NotifiedType>(
  type: Type,
  { before, after }: Change<Type>,
  readings: ReadingValues,
): boolean {
  const moved = before === undefined || objectState(type, before) !== objectState(type, after)
  switch (type) {
    case 'transactions':
    case 'batch_transactions':
      return moved
    case 'disbursements':
      return moved && isNotifiedDisbursement(objectState(type, after), before === undefined, readings)
    case 'virtual_accounts':
      return before !== undefined && moved && objectState(type, before) === 'pending_activation'
    case 'items':
    case 'users':
    case 'companies':
    case 'accounts':
      // Every change of these objects triggers a notification. Only the state and `enabled` of an account can change.
      return true
    default:
      return type satisfies never
  }
}

// Returns true if the change of a disbursement triggers a notification. Readings: realtime-payout-sequence, disbursement-changes
function isNotifiedDisbursement(state: string | null, isNew: boolean, readings: ReadingValues): boolean {
  if (readings['realtime-payout-sequence'] === 'final-only') return state !== 'bank_processing'
  return isNew || readings['disbursement-changes'] === 'notified'
}
