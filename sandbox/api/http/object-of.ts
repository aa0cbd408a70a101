import type { OperationRow } from '../../../spec/operations.ts'
import { isNotifiedType, type NotifiedType } from '../../../spec/notifications.ts'
import type { Input } from './read-input.ts'

/** The object that a call is about, by its path: `/items/{id}/make_payment` is about an item, if it names one. */
export function objectOf(
  { path }: OperationRow,
  { id }: Input['path'],
): { readonly type: NotifiedType | null; readonly id: string | null } {
  const [, collection = ''] = path.split('/')
  // Each kind of account is one of the accounts. Source: §2.2
  const type = isNotifiedType(collection)
    ? collection
    : /^(bank|card|wallet)_accounts$/.test(collection)
      ? 'accounts'
      : null
  return { type, id: type === null ? null : (id ?? null) }
}
