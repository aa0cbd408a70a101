import { LIFECYCLES } from '../../../spec/generated/lifecycles.ts'
import { objectState } from '../../../spec/models.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'

interface Row {
  readonly from: string | null
  readonly to: string
}

/** The moves that the document shows for an object; undefined where it shows none, and any listed state may be set. */
function transitionsOf<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
): readonly Row[] | undefined {
  const lifecycle: object = LIFECYCLES.objects[type]
  if ('kinds' in lifecycle) {
    const kinds: Readonly<Record<string, readonly Row[]>> = LIFECYCLES.objects.batch_transactions.kinds
    return kinds[`${String(Reflect.get(object, 'type'))}/${String(Reflect.get(object, 'type_method'))}`]
  }
  if (type === 'transactions') return LIFECYCLES.objects.transactions.transitions
  if (type === 'disbursements') return LIFECYCLES.objects.disbursements.transitions
  if (type === 'virtual_accounts') return LIFECYCLES.objects.virtual_accounts.transitions
  return undefined
}

/** Where the object may go from its state; undefined if to any listed one. */
export function nextStates<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
): readonly string[] | undefined {
  const state = objectState(type, object)
  return transitionsOf(type, object)
    ?.filter(({ from }) => from === state)
    .map(({ to }) => to)
}
