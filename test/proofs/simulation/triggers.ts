import { callbackTypes, type Generation } from '../../../spec/delivery.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import type { ReferenceModel, Revision } from './reference-model.ts'
import type { Run } from './run.ts'

/** Which fields tell of a change of state, by the tables of the document. Source: §2.4, §2.7, §2.8, §2.9 */
const STATE_FIELDS = {
  transactions: 'state',
  batch_transactions: 'state',
  disbursements: 'state',
  virtual_accounts: 'status',
} as const

/** The generations that must be notified of a revision, if somebody is registered: read from §2.2, not from the sandbox. */
export function mustNotify(
  revision: Revision,
  run: Pick<Run, 'model' | 'setup' | 'history'>,
): readonly Generation[] {
  if (!isVisible(revision, run) || !isTrigger(revision)) return []
  const { object_type } = revision.head
  const inCallbacks: readonly string[] = callbackTypes('current')
  return inCallbacks.includes(object_type) ? ['webhooks', 'callbacks'] : ['webhooks']
}

// Any data change of items and users; creation and change of state of the others. Source: §2.2
function isTrigger({ head: { object_type }, body, before }: Revision): boolean {
  switch (object_type) {
    case 'items':
    case 'users':
    case 'companies':
      return true
    case 'accounts':
      return (
        before === undefined || before.body === body || withoutAmount(before.body) !== withoutAmount(body)
      )
    case 'transactions':
    case 'batch_transactions':
    case 'disbursements':
      return stateOf(object_type, body) !== stateOf(object_type, before?.body)
    case 'virtual_accounts':
      return (
        stateOf(object_type, before?.body) === 'pending_activation' &&
        stateOf(object_type, body) !== 'pending_activation'
      )
    default:
      return object_type satisfies never
  }
}

/** Who and what is made only so that something else is whole is not notified. Reading: accompanying-notifications */
function isVisible(
  { head, before }: Revision,
  { model, setup, history }: Pick<Run, 'model' | 'setup' | 'history'>,
) {
  const { id, object_type } = head
  const isEveryObjectNotified = setup.readings['accompanying-notifications'] === 'all'
  // Reading: payout-disbursements
  const followsBatch =
    object_type === 'disbursements' && model.revisions.some(({ key }) => key === `batch_transactions/${id}`)
  if (followsBatch) return isEveryObjectNotified
  if (before !== undefined) return true
  if (object_type === 'items' || model.paid.has(id)) return true
  if (wasAskedFor(id, head.owner?.user_id, history)) return true
  return model.participants.has(id) && isEveryObjectNotified
}

/** Whether a call names it, or the user whose wallet it is. */
function wasAskedFor(id: string, owner: string | undefined, { calls }: Run['history']): boolean {
  return calls.some(({ method, path, body, answer }) => {
    if (method !== 'POST') return false
    const named: unknown = isRecord(body) ? (body['id'] ?? body['uuid']) : undefined
    if (path === '/users') return named === id || (owner !== undefined && named === owner)
    return path.startsWith('/control/objects/') && (named === id || answer?.body?.id === id)
  })
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function stateOf(type: keyof typeof STATE_FIELDS, body: string | undefined): unknown {
  return body === undefined ? undefined : JSON.parse(body)[STATE_FIELDS[type]]
}

/** The amount of a wallet moves without a notification; a change of its state need not show at all. */
function withoutAmount(body: string): string {
  return JSON.stringify({ ...JSON.parse(body), amount: 0 })
}

/** What a notification of a revision is: its Show, wrapped under its type; the short form for virtual accounts. Source: §2.3, §6.3 */
export function expectedBody({ head: { object_type }, body }: Pick<Revision, 'head' | 'body'>): string {
  if (object_type !== 'virtual_accounts')
    return `{${JSON.stringify(object_type satisfies NotifiedType)}:${body}}`
  const { id, updated_at } = JSON.parse(body)
  const updatedAt = new Date(Date.parse(updated_at) + 12 * 3_600_000).toISOString().replace('Z', '+12:00')
  const link = `/virtual_accounts/${id}`
  return JSON.stringify({ event: 'status_updated', id, link, name: 'virtual_accounts', updatedAt })
}

/** The revisions with their place among those of their object. */
export function revisionOf(model: ReferenceModel, key: string, revision: number): Revision | undefined {
  return model.revisions.find((each) => each.key === key && each.head.revision === revision)
}
