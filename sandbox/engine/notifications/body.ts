import type * as Service from '../../../spec/generated/service-types.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import { toBankAccount } from '../objects/accounts.ts'
import type { AccountOwner } from '../state/entries.ts'

/** Returns the body, translated into the platform's words. `json` is the object's JSON, if already known. Source: §2.3, §6.1 */
export function notificationBody<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
  {
    translator: { outward },
    json,
  }: { readonly translator: Pick<Translator, 'outward'>; readonly json?: string },
): string {
  const isVirtual = type === 'virtual_accounts' && 'routing_number' in object
  if (isVirtual) return JSON.stringify(outward(shortPayload(object)))
  const wrapped = { [type]: object }
  const translated = outward(wrapped)
  return translated === wrapped && json !== undefined ? `{"${type}":${json}}` : JSON.stringify(translated)
}

/** Returns the notification body for a bank account. Only the earlier callback list contains bank accounts. Reading: callback-list */
export function bankAccountBody(
  account: Service.Account,
  owner: AccountOwner | undefined,
  { outward }: Pick<Translator, 'outward'>,
): string {
  return JSON.stringify(outward({ bank_accounts: toBankAccount(account, owner) }))
}

/** Returns a body that reports that the status changed, but does not contain the new status. The time has a numeric offset. Source: §6.3 */
function shortPayload({ id, updated_at }: Service.VirtualAccount): Service.VirtualAccountsNotification {
  return {
    event: 'status_updated',
    id,
    link: `/virtual_accounts/${id}`,
    name: 'virtual_accounts',
    updatedAt: atOffset(updated_at),
  }
}

const TWELVE_HOURS_MS = 12 * 3_600_000

/** Formats a timestamp with the UTC offset that the service's document uses. Source: §6.3 */
function atOffset(timestamp: string): string {
  return new Date(Date.parse(timestamp) + TWELVE_HOURS_MS).toISOString().replace('Z', '+12:00')
}
